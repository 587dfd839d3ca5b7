import { NavLink } from 'react-router'
import { pagesAt, type SitePage } from '../site.ts'
import { useSite } from './layers.ts'

type Props = { newsletterUrl: string | undefined }

/** Entries of the top menu, in their order. What needs a feature is shown to who has it (`PersonActions` says how). */
export function SiteEntries({ newsletterUrl }: Props) {
  const pages = pagesAt(useSite(), 'top')
  const entry = (page: SitePage) => (
    <li key={page.path} data-needs={page.feature}>
      <NavLink to={page.path}>{page.label}</NavLink>
    </li>
  )
  return (
    <>
      {pages.filter(page => page.feature).map(entry)}
      {newsletterUrl && (
        <li>
          <a href={newsletterUrl} rel="noopener">
            Newsletter
          </a>
        </li>
      )}
      {pages.filter(page => !page.feature).map(entry)}
    </>
  )
}
