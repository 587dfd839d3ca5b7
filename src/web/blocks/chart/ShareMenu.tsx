import { useState } from 'react'
import { useLocation } from 'react-router'
import { useSite } from '../../shell/layers.ts'
import { isFramed } from '../../site.ts'
import { iconClass } from '../../ui/Button.tsx'
import { copyToClipboard } from '../../ui/copyToClipboard.ts'
import { Icon } from '../../ui/Icon.tsx'
import { addressWith, KNOWN } from '../view.ts'
import { embedHref } from './embed.tsx'
import styles from './ShareMenu.module.css'

type Props = {
  chart: string
  title: string
  canFrame: boolean
  /** Address of its figures as a file: it names the days that are drawn. */
  csvHref: string
  held: Record<string, string> | undefined
}

const FRAME_HEIGHT = 460

/** The chart as it stands, for others: its link, a frame for another site, or a file that proves its figures. */
export function ShareMenu({ chart, title, canFrame, csvHref, held }: Props) {
  const { pathname, search } = useLocation()
  const [copied, setCopied] = useState<'link' | 'frame'>()
  const copy = async (what: 'link' | 'frame', text: string) => {
    await copyToClipboard(text)
    setCopied(what)
    setTimeout(() => setCopied(undefined), 2000)
  }
  const site = useSite()
  const frame = embedHref(pathname, search, chart)
  const handleLink = () =>
    copy('link', `${location.origin}${pathname}${chartAddress(search, chart, csvHref, held)}#${chart}`)
  const handleFrame = () => copy('frame', frameCode(`${location.origin}${frame}`, title))
  return (
    <details className={styles.share} name="chart-options">
      <summary className={iconClass} aria-label="Share or embed" title="Share or embed">
        <Icon name="share" />
      </summary>
      <div className={styles.panel}>
        <button type="button" onClick={handleLink} data-needs-script>
          <Icon name={copied === 'link' ? 'check' : 'copy'} />
          {copied === 'link' ? 'Link copied' : 'Copy the link to this chart'}
        </button>
        {canFrame && isFramed(site, pathname) && (
          <>
            <button type="button" onClick={handleFrame} data-needs-script>
              <Icon name={copied === 'frame' ? 'check' : 'code'} />
              {copied === 'frame' ? 'Code copied' : 'Copy the code to embed it'}
            </button>
            <a href={frame} target="_blank" rel="noopener noreferrer">
              <Icon name="external" />
              Open it alone
            </a>
          </>
        )}
        {!new URLSearchParams(search).has(KNOWN) && (
          <a
            href={provenanceHref(csvHref)}
            title="Data and hashes behind these figures, to check them on any Assay server"
            download
          >
            <Icon name="download" />
            Provenance file
          </a>
        )}
      </div>
    </details>
  )
}

/** The same figures with the data that they rest on, for `assay check`. */
export function provenanceHref(csvHref: string): string {
  const query = new URLSearchParams(csvHref.split('?')[1])
  query.delete('format')
  return `/api/v1/series/provenance?${query}`
}

/** The chart on the days and in the steps that it has now, named so that those who show links show it. */
export function chartAddress(
  search: string,
  chart: string,
  csvHref: string,
  held?: Record<string, string>,
): string {
  const drawn = new URLSearchParams(csvHref.split('?')[1])
  const [from, to, grain] = ['from', 'to', 'grain'].map(key => drawn.get(key) ?? undefined)
  return addressWith(search, {
    chart,
    ...held,
    ...(from && { from, to, range: undefined, [`${chart}.range`]: undefined, [`${chart}.grain`]: grain }),
  })
}

/** HTML for another site; a title may hold what HTML would read. */
export function frameCode(href: string, title: string): string {
  const text = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<iframe src="${text(href)}" title="${text(title)}" width="100%" height="${FRAME_HEIGHT}" loading="lazy" style="border:0"></iframe>`
}
