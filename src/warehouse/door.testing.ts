import { readFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { silentLog } from '#kernel/log.ts'
import type { AccessModel } from './accessModel.testing.ts'
import { testSchema } from './testing.ts'
import { openWarehouse, type Warehouse } from './warehouse.ts'

export type Seen = { user: string; sql: string; settings: URLSearchParams }

/**
 * The embedded engine's own HTTP interface stands in for the server, which has two users: `house` may write, `people` is
 * for people's SQL. Both are the engine's writer behind this door, so that whatever is refused is refused by ourselves.
 */
function openDoor(
  port: number,
  token: string,
  { seen, access }: { seen: Seen[]; access: AccessModel | undefined },
): Promise<Server> {
  const door = createServer({ maxHeaderSize: 2 ** 20 }, (incoming, response) => {
    const [, credentials = ''] = (incoming.headers.authorization ?? '').split(' ')
    const [user = '', password] = Buffer.from(credentials, 'base64').toString().split(':')
    const parts: Buffer[] = []
    incoming.on('data', part => parts.push(part))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://door')
      const body = Buffer.concat(parts)
      const sql = `${url.searchParams.get('query') ?? ''}${body.toString('latin1')}`
      seen.push({ user, sql, settings: url.searchParams })
      if (password !== `${user}-secret`) {
        response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' })
        response.end('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)\n')
        return
      }
      const decided = access?.answer({
        user,
        sql: sql.replace(/\s*\nFORMAT \w+\s*$/, ''),
        roles: url.searchParams.getAll('role'),
      })
      if (decided !== undefined) {
        const { code, body: words } = decided
        response.writeHead(
          code === undefined ? 200 : 500,
          code === undefined ? {} : { 'X-ClickHouse-Exception-Code': String(code) },
        )
        response.end(words)
        return
      }
      const authorization = `Basic ${Buffer.from(`writer:${token}`).toString('base64')}`
      const onward = request({
        port,
        host: '127.0.0.1',
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, authorization },
      })
      onward.on('response', answer => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      onward.end(body)
    })
  })
  return new Promise(resolve => door.listen(0, '127.0.0.1', () => resolve(door)))
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Users of the server behind the door. */
export const USERS = {
  user: 'house',
  password: 'house-secret',
  peopleUser: 'people',
  peoplePassword: 'people-secret',
} as const

export type TestServer = AsyncDisposable & { readonly warehouse: Warehouse; readonly url: string }

/** Opens the warehouse of an engine's home as one on a server; `seen` gets what is sent to it, `access` decides like access control of a server. */
export async function openTestServer(
  home: string,
  seen: Seen[] = [],
  access?: AccessModel,
): Promise<TestServer> {
  const folder = join(home, 'warehouse')
  const { port } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { port: number }
  const door = await openDoor(port, await readFile(join(folder, 'token'), 'utf8'), { seen, access })
  const url = `http://127.0.0.1:${portOf(door)}`
  const warehouse = await openWarehouse({ home, url, ...USERS, schema: await testSchema(), log: silentLog })
  return {
    warehouse,
    url,
    async [Symbol.asyncDispose]() {
      await warehouse[Symbol.asyncDispose]()
      door.closeAllConnections()
      door.close()
    },
  }
}

/** What the gate sends of a statement before it lets it run: the statement to be parsed, or as a text. */
export const CHECKS = /^(?:EXPLAIN AST |SELECT formatQuerySingleLine\(')/
