import { createHash } from 'node:crypto'
import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { sentenceOf } from '#kernel/errors.ts'
import { CLIENT_OPTIONS } from './client.ts'
import { WarehouseError } from './errors.ts'
import { QUOTA_KEY, quotaKeyOf } from './peopleQuota.ts'

/** Parameter that names the role of the owner whose uploads a query reads. Only our own program sends it. */
export const UPLOAD_ROLE = 'assay_upload_role'

/** Role of an owner on a ClickHouse server, a hash so that server logs contain no account. */
export const uploadRoleOf = (owner: string): string =>
  `assay_uploads_of_${createHash('sha256').update(`uploads\0${owner}`).digest('hex').slice(0, 32)}`

/** A role that no owner has: with it, no upload may be readable. */
export const NOBODY = 'assay_uploads_of_nobody'

export type UploadTableAccess = {
  readonly database: string
  /** Quoted name of its table. */
  readonly table: string
  readonly owner: string
}

/**
 * Which upload a request may read on a ClickHouse server, as access control of that server: all user queries have one user, and a
 * request has the role of its owner, which SQL cannot change. Throws `warehouse.server_uploads`.
 */
export type UploadAccess = {
  /** Makes an upload readable in requests of its owner, and verifies that it is readable in no other. */
  open(upload: UploadTableAccess): Promise<void>
  /** Forgets a dropped database. */
  close(database: string): Promise<void>
  /** Grants that earlier releases gave to the user of all queries are revoked. */
  revokeFromAll(database: string): Promise<void>
  /** Whether the server tells requests apart by their role. */
  check(): Promise<void>
}

export type UploadAccessConfig = {
  readonly url: string
  readonly user?: string
  readonly peopleUser?: string
  readonly peoplePassword?: string
}

/** Statements that make an upload readable in requests of its owner. The last one opens it. */
export const openingStatements = (database: string, role: string, user: string): readonly string[] => [
  `CREATE ROLE IF NOT EXISTS ${role}`,
  `GRANT ${role} TO ${quoted(user)}`,
  // A role for each version: dropping it removes all of its grants.
  `CREATE ROLE IF NOT EXISTS ${database}`,
  `GRANT SELECT ON ${database}.* TO ${database}`,
  `GRANT ${database} TO ${role}`,
]

export function createUploadAccess(
  { url, user, peopleUser, peoplePassword }: UploadAccessConfig,
  writer: ClickHouseClient,
): UploadAccess & AsyncDisposable {
  // Without the gate: these requests show what the server itself refuses.
  const people =
    peopleUser === undefined || peopleUser === user
      ? undefined
      : createClient({
          ...CLIENT_OPTIONS,
          url,
          username: peopleUser,
          ...(peoplePassword !== undefined && { password: peoplePassword }),
          clickhouse_settings: {
            readonly: '1',
            max_execution_time: 10,
            [QUOTA_KEY]: quotaKeyOf('uploads'),
          } as ClickHouseSettings,
        })

  function own(): { people: ClickHouseClient; peopleUser: string } {
    if (people !== undefined && peopleUser !== undefined) return { people, peopleUser }
    throw refused('User queries have no ClickHouse user of their own.', {
      hint: 'Set CLICKHOUSE_PEOPLE_USER. See docs/decisions/clickhouse-server.md.',
    })
  }

  async function run(statements: readonly string[]): Promise<void> {
    for (const query of statements)
      await writer.command({ query }).catch(cause => {
        throw refused(`The server refused to change roles: ${sentenceOf(cause)}`, {
          hint: 'Grant CLICKHOUSE_USER what docs/decisions/clickhouse-server.md lists.',
          cause,
        })
      })
  }

  async function mayRead({ database, table }: UploadTableAccess, role?: string): Promise<boolean> {
    const query = `SELECT 1 FROM ${database}.${table} LIMIT 0`
    try {
      await (
        await own().people.query({ query, format: 'TabSeparated', ...(role !== undefined && { role }) })
      ).text()
      return true
    } catch (cause) {
      if (cause instanceof ClickHouseError && cause.code === ACCESS_DENIED) return false
      throw refused(`The server could not tell who may read an upload: ${sentenceOf(cause)}`, { cause })
    }
  }

  async function roles(role?: string): Promise<readonly string[]> {
    const result = await own().people.query({
      query: 'SELECT arrayJoin(currentRoles()) AS role',
      format: 'JSONEachRow',
      ...(role !== undefined && { role }),
    })
    return (await result.json<{ role: string }>()).map(row => row.role)
  }

  const prepare = () =>
    run([`CREATE ROLE IF NOT EXISTS ${NOBODY}`, `GRANT ${NOBODY} TO ${quoted(own().peopleUser)}`])

  return {
    async open(upload) {
      const role = uploadRoleOf(upload.owner)
      await prepare()
      await run(openingStatements(upload.database, role, own().peopleUser))
      if (await mayRead(upload))
        throw refused('User queries may read an upload without a role.', DEFAULT_ROLE)
      if (await mayRead(upload, NOBODY))
        throw refused('User queries may read an upload with a role of somebody else.', DEFAULT_ROLE)
      if (!(await mayRead(upload, role)))
        throw refused('The server refused to read an upload to its owner.', {
          hint: 'Grant CLICKHOUSE_USER what docs/decisions/clickhouse-server.md lists.',
        })
    },
    async close(database) {
      if (people !== undefined) await run([`DROP ROLE IF EXISTS ${database}`])
    },
    revokeFromAll: database => run([`REVOKE SELECT ON ${database}.* FROM ${quoted(own().peopleUser)}`]),
    async check() {
      await prepare()
      if ((await roles()).length > 0)
        throw refused('The user of user queries has roles without asking for one.', DEFAULT_ROLE)
      const given = await roles(NOBODY).catch(cause => {
        throw refused(`The server does not accept a role for a request: ${sentenceOf(cause)}`, OLD_SERVER)
      })
      if (!given.includes(NOBODY))
        throw refused('The server ignores the role that a request names.', OLD_SERVER)
    },
    async [Symbol.asyncDispose]() {
      await people?.close()
    },
  }
}

const ACCESS_DENIED = '497'

const DEFAULT_ROLE = {
  hint: 'Run ALTER USER … DEFAULT ROLE NONE for CLICKHOUSE_PEOPLE_USER, and REVOKE SELECT ON *.* from it.',
} as const
const OLD_SERVER = { hint: 'Upgrade the ClickHouse server to 24.4 or later.' } as const

const refused = (sentence: string, more: { hint?: string; cause?: unknown } = {}): WarehouseError =>
  new WarehouseError('warehouse.server_uploads', sentence, more)

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
