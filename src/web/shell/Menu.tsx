import { NavLink, useLocation } from 'react-router'
import { entityColour } from '../blocks/chart/entityColour.ts'
import { existingPages, MENU_GROUPS, pagesAt, type SitePage } from '../site.ts'
import { useSite } from './layers.ts'
import styles from './Menu.module.css'
import { MenuBranch } from './MenuBranch.tsx'

/** The groups of the sidebar, each drawn once one of its pages exists. */
export function Menu() {
  const site = useSite()
  return MENU_GROUPS.map(group => {
    const pages = pagesAt(site, group)
    if (pages.length === 0) return null
    return (
      <section key={group} className={styles.group} aria-label={group}>
        <h2 className={styles.title}>{group}</h2>
        <ul>
          {pages.map(page => (
            <Entry key={page.path} page={page} />
          ))}
        </ul>
      </section>
    )
  })
}

/** Whether the page at this address, or one above it, is a page of the site by itself: `/bitcoin/l2s/liquid` is none of Bitcoin’s. */
const isOfAnother = (site: readonly SitePage[], pathname: string, path: string): boolean =>
  existingPages(site).some(
    other =>
      other.path.startsWith(`${path}/`) && (pathname === other.path || pathname.startsWith(`${other.path}/`)),
  )

function Entry({ page, isFirstOf }: { page: SitePage; isFirstOf?: string }) {
  const { pathname } = useLocation()
  const site = useSite()
  const children = (page.children ?? []).filter(child => child.isBuilt !== undefined)
  const label = (
    <>
      {page.entity && (
        <span className={styles.dot} style={{ background: `var(--${entityColour(page.entity)})` }} />
      )}
      {page.label}
      {page.badge && <span className={styles.badge}>{page.badge}</span>}
    </>
  )
  if (children.length === 0) {
    return (
      <li>
        <NavLink
          to={page.path}
          className={styles.entry ?? ''}
          end={page.path === isFirstOf || isOfAnother(site, pathname, page.path)}
        >
          {label}
        </NavLink>
      </li>
    )
  }
  return (
    <MenuBranch label={label} isCurrent={pathname === page.path || pathname.startsWith(`${page.path}/`)}>
      {children.map(child => (
        <Entry key={child.path} page={child} isFirstOf={page.path} />
      ))}
    </MenuBranch>
  )
}
