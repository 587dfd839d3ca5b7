import { NavLink } from 'react-router'
import { MENU_GROUPS, pagesAt, type SitePage } from '../site.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './Menu.module.css'

/** The groups of the sidebar, each drawn once one of its pages exists. */
export function Menu() {
  return MENU_GROUPS.map(group => {
    const pages = pagesAt(group)
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

function Entry({ page }: { page: SitePage }) {
  const children = (page.children ?? []).filter(child => child.file !== undefined)
  const label = (
    <>
      {page.entity && <span className={styles.dot} style={{ background: `var(--series-${page.entity})` }} />}
      {page.label}
      {page.badge && <span className={styles.badge}>{page.badge}</span>}
    </>
  )
  if (children.length === 0) {
    return (
      <li>
        <NavLink to={page.path} className={styles.entry ?? ''}>
          {label}
        </NavLink>
      </li>
    )
  }
  return (
    <li>
      <details className={styles.branch}>
        <summary className={styles.entry}>
          {label}
          <span className={styles.chevron}>
            <Icon name="next" />
          </span>
        </summary>
        <ul className={styles.children}>
          {children.map(child => (
            <Entry key={child.path} page={child} />
          ))}
        </ul>
      </details>
    </li>
  )
}
