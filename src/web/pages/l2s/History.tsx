import type { LayerProfile } from '#http/contract.ts'
import { grouped } from '../../format/figure.ts'
import { Source } from './Source.tsx'
import { type Moment, Timeline } from './Timeline.tsx'

/** What went wrong on it, how it was upgraded, and what changed in what we know. */
export function History({ layer }: { layer: LayerProfile }) {
  const incidents: Moment[] = [
    ...layer.incidents.map(({ day, what, url, protocol }) => ({
      day,
      key: `${day} ${what}`,
      ...(protocol !== null && { title: protocol }),
      words: (
        <>
          {what}{' '}
          <a href={url} rel="noopener noreferrer">
            {new URL(url).host.replace(/^www\./, '')}
          </a>
        </>
      ),
      mark: 'incident' as const,
    })),
    ...layer.events.filter(({ kind }) => kind === 'incident').map(momentOf),
  ]
  const upgrades = layer.events.filter(({ kind }) => kind !== 'incident').map(momentOf)
  return (
    <>
      <Timeline
        title="Incidents"
        sub="For the layer itself and applications on it, from public sources"
        moments={incidents}
        none="None in the sources reviewed. Unreported ones may exist."
      />
      {upgrades.length > 0 && (
        <Timeline
          title="Launch and upgrades"
          sub="The same days are flags on the charts above"
          moments={upgrades}
          none=""
        />
      )}
      <Timeline
        title="Catalog changes"
        sub="Status and grades by date read. Lines are added, never removed"
        moments={layer.changes.map(({ day, what, origin }) => ({
          day,
          key: `${day} ${what}`,
          words: (
            <>
              {what}
              {origin && (
                <>
                  {' '}
                  <Source origin={origin} />
                </>
              )}
            </>
          ),
        }))}
        none="Nothing has changed since it was listed."
      />
    </>
  )
}

function momentOf({ day, height, label, note, source, kind }: LayerProfile['events'][number]): Moment {
  return {
    day,
    key: `${day} ${label}`,
    title: label,
    words: (
      <>
        {note}{' '}
        <small title={height === null ? undefined : `height ${grouped(String(height))}`}>{source}</small>
      </>
    ),
    ...(kind === 'incident' && { mark: 'incident' as const }),
  }
}
