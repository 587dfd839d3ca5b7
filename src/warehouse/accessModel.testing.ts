/** What access control of a ClickHouse server does with the statements of uploads: users, roles and grants of databases. */
export type AccessModel = {
  /** The answer of the server where access control decides; undefined where the engine answers. */
  answer(request: { user: string; sql: string; roles: readonly string[] }): AccessAnswer | undefined
  /** Statements that changed roles, in order, with the user who sent them. */
  readonly changes: string[]
  /** Changes that match fail. */
  fails: RegExp | undefined
  /** Whether the user of user queries has no role without asking for one. */
  hasNoDefaults: boolean
  /** Whether the server knows the parameter `role`. */
  knowsRoles: boolean
}

export type AccessAnswer = { readonly code?: number; readonly body: string }

const TYPES: Readonly<Record<number, string>> = {
  62: 'SYNTAX_ERROR',
  497: 'ACCESS_DENIED',
  511: 'UNKNOWN_ROLE',
  512: 'SET_NON_GRANTED_ROLE',
}

const DATABASE = /\buploads_[0-9a-f]{32}\b/g
const CHECK = /^(?:EXPLAIN AST |SELECT formatQuerySingleLine\()/

export function createAccessModel(): AccessModel {
  /** Databases and roles of each role, and roles of each user. */
  const grants = new Map<string, Set<string>>()
  const member = new Set<string>()

  const refuse = (code: number, words: string): AccessAnswer => ({
    code,
    body: `Code: ${code}. DB::Exception: ${words} (${TYPES[code]})\n`,
  })

  function change(sql: string): AccessAnswer {
    const [, created] = /^CREATE ROLE IF NOT EXISTS (\w+)$/.exec(sql) ?? []
    const [, database, reader] = /^GRANT SELECT ON (\w+)\.\* TO (\w+)$/.exec(sql) ?? []
    const [, role] = /^GRANT (\w+) TO `people`$/.exec(sql) ?? []
    const [, inner, outer] = /^GRANT (\w+) TO (\w+)$/.exec(sql) ?? []
    const [, dropped] = /^DROP ROLE IF EXISTS (\w+)$/.exec(sql) ?? []
    if (created !== undefined) grants.set(created, grants.get(created) ?? new Set())
    else if (database !== undefined && reader !== undefined) {
      if (!grants.has(reader)) return refuse(511, `There is no role ${reader}`)
      grants.get(reader)?.add(`database ${database}`)
    } else if (role !== undefined) {
      if (!grants.has(role)) return refuse(511, `There is no role ${role}`)
      member.add(role)
    } else if (inner !== undefined && outer !== undefined) {
      if (!grants.has(inner) || !grants.has(outer)) return refuse(511, 'There is no such role')
      grants.get(outer)?.add(inner)
    } else if (dropped !== undefined) {
      grants.delete(dropped)
      for (const held of grants.values()) held.delete(dropped)
    } else if (!sql.startsWith('REVOKE SELECT ON ')) return refuse(62, `Unknown statement: ${sql}`)
    return { body: '' }
  }

  function databasesOf(roles: Iterable<string>): Set<string> {
    const found = new Set<string>()
    for (const role of roles)
      for (const held of grants.get(role) ?? [])
        if (held.startsWith('database ')) found.add(held.slice('database '.length))
        else for (const database of databasesOf([held])) found.add(database)
    return found
  }

  const model: AccessModel = {
    changes: [],
    fails: undefined,
    hasNoDefaults: true,
    knowsRoles: true,
    answer({ user, sql, roles }) {
      if (/^(?:CREATE ROLE|DROP ROLE|GRANT|REVOKE) /.test(sql)) {
        if (user !== 'house') return refuse(497, 'Not enough privileges')
        model.changes.push(sql)
        return model.fails?.test(sql) === true ? refuse(497, 'Not enough privileges.') : change(sql)
      }
      if (user !== 'people' || CHECK.test(sql)) return undefined
      const asked = model.knowsRoles ? roles : []
      for (const role of asked) {
        if (!grants.has(role)) return refuse(511, `There is no role ${role} in user directories.`)
        if (!member.has(role)) return refuse(512, `Role ${role} should be granted to set current.`)
      }
      const current = asked.length > 0 ? asked : model.hasNoDefaults ? [] : [...member]
      if (sql.includes('currentRoles()'))
        return { body: current.map(role => `${JSON.stringify({ role })}\n`).join('') }
      const open = databasesOf(current)
      const closed = (sql.match(DATABASE) ?? []).find(database => !open.has(database))
      return closed === undefined
        ? undefined
        : refuse(
            497,
            `people: Not enough privileges. It is necessary to have the grant SELECT ON ${closed}.t.`,
          )
    },
  }
  return model
}
