import { Link } from 'react-router'
import { Icon } from '../../../ui/Icon.tsx'
import rail from '../DataRail.module.css'
import type { DrawnLinks, Section } from '../DataRail.tsx'
import { groupKey, tableKey } from './keys.ts'
import tree from './Tree.module.css'
import { tableGroups } from './tableGroups.ts'

type Props = {
  section: Section
  tables: readonly { readonly name: string; readonly about: string }[]
  drawn: DrawnLinks
}

const MARK = (
  <span className={tree.mark} aria-hidden="true">
    <Icon name="next" />
  </span>
)

/** A section as the server draws it. It works without a script. */
export function DrawnSection({ section, tables, drawn }: Props) {
  if (section === 'tables')
    return tableGroups(tables).map(group => (
      <details key={group.title} data-key={groupKey(group.title)}>
        <summary className={tree.line} data-look="group">
          {MARK}
          <span className={tree.label}>
            {group.title} <small>{group.tables.length}</small>
          </span>
        </summary>
        <ul className={rail.list}>
          {group.tables.map(({ name, about }) => (
            <li key={name}>
              <details data-key={tableKey(name)}>
                <summary className={tree.line} data-look="table" data-level="2" title={about}>
                  {MARK}
                  <span className={tree.label}>{name}</span>
                </summary>
                <p className={rail.about}>
                  {about} <Link to={`/documentation/tables/${name}`}>Reference</Link>
                </p>
              </details>
            </li>
          ))}
        </ul>
      </details>
    ))
  return drawn.map(({ topic, links }) => (
    <section key={topic}>
      <h2 className={rail.topic}>{topic}</h2>
      <ul className={rail.list}>
        {links.map(({ href, name, about }) => (
          <li key={href}>
            {/* A link of the browser: without a script it fills the form. */}
            <a className={rail.choice} href={href} title={about}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  ))
}
