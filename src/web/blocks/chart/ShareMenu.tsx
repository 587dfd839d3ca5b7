import { useState } from 'react'
import { useLocation } from 'react-router'
import { useSite } from '../../shell/layers.ts'
import { isFramed } from '../../site.ts'
import { iconClass } from '../../ui/Button.tsx'
import { copyToClipboard } from '../../ui/copyToClipboard.ts'
import { Icon } from '../../ui/Icon.tsx'
import { embedHref } from './embed.tsx'
import styles from './ShareMenu.module.css'

type Props = { chart: string; title: string; canFrame: boolean }

const FRAME_HEIGHT = 460

/** The chart as it stands, for others: its link, or a frame for another site. */
export function ShareMenu({ chart, title, canFrame }: Props) {
  const { pathname, search } = useLocation()
  const [copied, setCopied] = useState<'link' | 'frame'>()
  const copy = async (what: 'link' | 'frame', text: string) => {
    await copyToClipboard(text)
    setCopied(what)
    setTimeout(() => setCopied(undefined), 2000)
  }
  const site = useSite()
  const frame = embedHref(pathname, search, chart)
  const handleLink = () => copy('link', `${location.origin}${pathname}${search}#${chart}`)
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
            <a href={frame} target="_blank" rel="noreferrer">
              <Icon name="external" />
              Open it alone
            </a>
          </>
        )}
      </div>
    </details>
  )
}

/** HTML for another site; a title may hold what HTML would read. */
export function frameCode(href: string, title: string): string {
  const text = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<iframe src="${text(href)}" title="${text(title)}" width="100%" height="${FRAME_HEIGHT}" loading="lazy" style="border:0"></iframe>`
}
