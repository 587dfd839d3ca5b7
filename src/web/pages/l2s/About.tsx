import type { LayerProfile } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { type Fact, Facts } from '../../blocks/Facts.tsx'
import { dayText } from '../../format/day.ts'
import styles from './Source.module.css'
import { Source, Unchecked } from './Source.tsx'
import { capitalised, FAMILIES, STATUSES } from './words.ts'

const LINKS: Readonly<Record<string, string>> = {
  website: 'Site',
  docs: 'Documentation',
  explorer: 'Explorer',
  bridge: 'Bridge',
  github: 'Code',
  twitter: 'X',
  x: 'X',
}

/** What a layer is, fact by fact; what nobody has checked says so at the fact. */
export function About({ layer }: { layer: LayerProfile }) {
  const { launch, status, statusAsOf, statusNote, fromMemory } = layer
  const checked = (field: LayerProfile['fromMemory'][number], value: string) => (
    <>
      {value} {fromMemory.includes(field) && <Unchecked />}
    </>
  )
  const facts: (Fact | undefined)[] = [
    { label: 'What it is', value: checked('kind', capitalised(layer.kind)) },
    { label: 'Type', value: FAMILIES[layer.family] },
    {
      label: 'Status',
      value: (
        <>
          {checked('status', STATUSES[status])}
          <br />
          <small>as of {dayText(statusAsOf)}</small>
        </>
      ),
    },
    layer.btcAsset === null
      ? undefined
      : { label: 'Bitcoin on it', value: checked('btcAsset', layer.btcAsset) },
    launch === null
      ? undefined
      : {
          label: 'Launch',
          value: (
            <>
              {dayText(launch.day)} {launch.origin.isFromMemory && <Unchecked />}
              <br />
              <small>{launch.what}</small>
            </>
          ),
        },
    layer.chainId === null ? undefined : { label: 'Chain id', value: String(layer.chainId) },
    layer.bridge === null
      ? undefined
      : { label: 'Bridge', value: checked('bridge', capitalised(layer.bridge)) },
    statusNote === null ? undefined : { label: 'On the status', value: statusNote, isWide: true },
    Object.keys(layer.links).length === 0
      ? undefined
      : {
          label: 'Links',
          isWide: true,
          value: (
            <span className={styles.links}>
              {Object.entries(layer.links).map(([key, href]) => (
                <a key={key} href={href} rel="noopener noreferrer">
                  {LINKS[key] ?? key}
                </a>
              ))}
            </span>
          ),
        },
  ]
  return (
    <Card title={`What ${layer.name} is`} foot={<Source origin={layer.origin} label="After" />}>
      <Facts facts={facts.filter(fact => fact !== undefined)} />
    </Card>
  )
}
