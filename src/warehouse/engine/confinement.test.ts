/** A user query could make the engine read files or reach the network. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, test } from 'node:test'
import type { Facts } from '#kernel/errors.ts'
import { silentLog } from '#kernel/log.ts'
import { table, u32 } from '#kernel/table.ts'
import { until } from '#kernel/until.testing.ts'
import { portOf } from '../door.testing.ts'
import { runRaw } from '../raw.testing.ts'
import { openTestWarehouse } from '../testing.ts'
import { inputsOf, type Warehouse } from '../warehouse.ts'
import { confinementSentence, FIRST_LANDLOCK_CALL } from './confinement.ts'
import { dataOf, endpointOf, logOf, pipePathsOf, tokenOf } from './folder.ts'
import type { ConfinementConfig } from './launch.ts'
import { type Engine, openEngine } from './supervise.ts'

const numbers = table('numbers', {
  doc: 'One row per number.',
  columns: { n: u32('the number') },
  orderBy: ['n'],
})
const schema = { tables: [numbers], baseViews: [], fills: [], views: [] }

/** Version of the kernel's interface; below 1 where it has none, or this Node cannot call it. */
async function landlockAbi(): Promise<number> {
  if (process.platform !== 'linux') return 0
  try {
    const { dlopen } = await import('node:ffi')
    const { functions } = dlopen(null, {
      syscall: { arguments: ['int64', 'int64', 'int64', 'int64'], return: 'int64' },
    })
    return Number(functions.syscall(BigInt(FIRST_LANDLOCK_CALL), 0n, 0n, 1n))
  } catch {
    return 0
  }
}
const abi = await landlockAbi()
const confined = { skip: abi < 2 && 'this kernel cannot confine a process' }

describe('what the kernel refuses, and nothing else does', () => {
  const both = async (
    task: (warehouse: Warehouse & { home: string }, isConfined: boolean) => Promise<void>,
  ): Promise<void> => {
    for (const isConfined of [false, true]) {
      await using warehouse = await openTestWarehouse({ schema, isConfined, engineUser: 'off' })
      assert.equal((await warehouse.confinement())?.files, isConfined)
      await task(warehouse, isConfined)
    }
  }

  test(
    'files of others: the token, secrets beside it, accounts, environments of processes',
    confined,
    async () => {
      await both(async (warehouse, isConfined) => {
        const { home } = warehouse
        await writeFile(join(home, 'secret'), 'secret of the operator')
        for (const [path, content] of [
          [tokenOf(join(home, 'warehouse')), /^[\w-]{32}\n$/],
          [logOf(join(home, 'warehouse')), /^/],
          [join(home, 'secret'), /secret of the operator/],
          ['/etc/passwd', /root/],
          [`/proc/${process.pid}/environ`, /PATH=/],
          ['/proc/self/environ', /PATH=/],
        ] as const)
          for (const query of [
            `SELECT file('${path}') FORMAT TSVRaw`,
            `SELECT * FROM file('${path}', 'RawBLOB', 's String') FORMAT RawBLOB`,
          ]) {
            const answer = await runRaw(warehouse, query)
            if (isConfined) assert.match(answer, /^failed: .*Permission denied/, query)
            else assert.match(answer.replace(/([^\n])$/, '$1\n'), content, query)
          }
        const listed = await runRaw(warehouse, `SELECT count() FROM file('${home}/*', 'One')`)
        assert.equal(listed === '0\n', isConfined, listed)
      })
    },
  )

  test('writing elsewhere, over the token or into another folder', confined, async () => {
    await both(async (warehouse, isConfined) => {
      const { home } = warehouse
      const out = join(home, 'out')
      for (const query of [
        `SELECT 1 INTO OUTFILE '${out}.a'`,
        `INSERT INTO FUNCTION file('${out}.b', 'TSV', 'a UInt8') SELECT 1`,
        `SELECT 1 INTO OUTFILE '${tokenOf(join(home, 'warehouse'))}' TRUNCATE`,
        `SELECT 1 INTO OUTFILE '${endpointOf(join(home, 'warehouse'))}' TRUNCATE`,
      ]) {
        const answer = await runRaw(warehouse, query)
        if (isConfined) assert.match(answer, /^failed: .*Permission denied/, query)
        else assert.equal(answer, '', query)
      }
      assert.equal(existsSync(`${out}.a`), !isConfined)
      assert.equal(existsSync(`${out}.b`), !isConfined)
      assert.equal(
        (await readFile(tokenOf(join(home, 'warehouse')), 'utf8')) === '1\n',
        !isConfined,
        'the token is written over where nothing confines the engine',
      )
    })
  })

  test('TCP connections, also to this machine', { skip: abi < 4 && 'needs Linux 6.7' }, async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end('reached\n')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    try {
      await both(async (warehouse, isConfined) => {
        assert.equal((await warehouse.confinement())?.network, isConfined)
        asked = 0
        const answer = await runRaw(
          warehouse,
          `SELECT * FROM url('http://127.0.0.1:${portOf(server)}/', 'LineAsString', 's String') SETTINGS http_max_tries = 1`,
        )
        assert.match(answer, isConfined ? /^failed: / : /^reached\n$/)
        assert.equal(asked > 0, !isConfined)
      })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

test(
  'a confined engine works: inserts, temporary files, merges, files to load, and data of an earlier run',
  confined,
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'assay-confined-'))
    try {
      {
        await using earlier = await openTestWarehouse({ schema, home, isConfined: false })
        await earlier.insertRows(numbers, [{ n: 1 }])
      }
      // As a stop at the wrong moment may leave them.
      const [pipe = ''] = pipePathsOf(join(home, 'warehouse'), 1)
      await rm(pipe)
      await writeFile(pipe, 'no pipe')
      await using warehouse = await openTestWarehouse({ schema, home })
      assert.equal((await warehouse.confinement())?.files, true)
      await warehouse.insertRows(numbers, [{ n: 2 }])
      for (const [folder, n] of [
        [inputsOf(home), 3],
        [join(home, 'elsewhere'), 4],
      ] as const) {
        await mkdir(folder, { recursive: true })
        const file = join(folder, 'numbers.native')
        // Native: one column, one row; name, type, value.
        await writeFile(file, Buffer.from(`\x01\x01\x01n\x06UInt32${String.fromCharCode(n)}\0\0\0`, 'latin1'))
        await warehouse.insertNativeFile(numbers, file)
      }
      assert.equal(await runRaw(warehouse, 'OPTIMIZE TABLE base.numbers FINAL'), '')
      assert.equal(
        await runRaw(warehouse, 'SELECT groupArray(n) FROM (SELECT n FROM base.numbers ORDER BY n)'),
        '[1,2,3,4]\n',
      )
      assert.equal(
        await runRaw(
          warehouse,
          'SELECT count() FROM (SELECT number AS n FROM numbers(300000) GROUP BY n SETTINGS max_bytes_before_external_group_by = 100000)',
        ),
        '300000\n',
      )
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  },
)

describe('starts', () => {
  type Said = { message: string; facts: Facts | undefined }
  async function open(confinement: ConfinementConfig, prepare?: (folder: string) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), 'assay-start-'))
    await prepare?.(folder)
    const said: Said[] = []
    const note = (message: string, facts?: Facts) => void said.push({ message, facts })
    const log = { ...silentLog, info: note, warn: note }
    const engine = await openEngine({
      folder,
      memoryBytes: 2 ** 29,
      readers: 1,
      graceMs: 0,
      confinement,
      log,
    }).catch((cause: { code?: string }) => cause.code)
    return {
      engine: engine as Engine,
      said,
      folder,
      async [Symbol.asyncDispose]() {
        if (typeof engine === 'object') await engine[Symbol.asyncDispose]()
        await rm(folder, { recursive: true, force: true })
      },
    }
  }

  test('a kernel without Landlock starts the engine as it is, and the log says why', async () => {
    // No kernel has a call of this number.
    await using opened = await open({ firstCall: 9444 })
    const { confinement } = await opened.engine.endpoint()
    assert.equal(confinement?.files, false)
    const why = process.platform === 'linux' ? /no Landlock, or a container forbids it/ : /Only Linux/
    assert.match(confinement.reason ?? '', why)
    assert.equal(opened.said.length, 1)
    assert.match(String(opened.said[0]?.facts?.confinement), why)
  })

  test('an engine that is killed is confined again', confined, async () => {
    await using opened = await open({})
    const first = await opened.engine.endpoint()
    process.kill(first.pid, 'SIGKILL')
    const next = await until('another engine runs', async () => {
      const alive = await opened.engine.alive()
      return alive.pid !== first.pid && alive
    })
    assert.equal(next.confinement?.files, true)
  })

  test(
    'a machine on which no confined engine starts gets one as it is, after a test without any data',
    confined,
    async () => {
      // The libraries are somewhere that nobody told us of.
      await using opened = await open({ system: [] })
      const { confinement, user } = await opened.engine.endpoint()
      assert.equal(confinement?.files, false)
      // The other layer stays.
      assert.equal('user' in (user ?? {}), process.geteuid?.() === 0)
      assert.equal(opened.said[0]?.facts?.without, 'confinement')
      assert.deepEqual(
        opened.said.map(({ message }) => message),
        [
          'the warehouse engine does not start on this machine with all its layers of protection',
          'the warehouse engine has started',
        ],
      )
      assert.deepEqual(
        (await readdir(opened.folder)).filter(name => name.startsWith('probe-')),
        [],
      )
    },
  )

  test('data on which the engine breaks does not free it from its confinement', confined, async () => {
    await using opened = await open({}, async folder => {
      // The engine writes a file of this name.
      await mkdir(join(dataOf(folder), 'status'), { recursive: true })
    })
    assert.equal(opened.engine, 'warehouse.engine_start')
    assert.deepEqual(opened.said, [])
  })
})

test('the token is neither in the environment nor in the command of the engine', {
  skip: !existsSync('/proc/self/environ') && 'needs /proc',
}, async () => {
  await using warehouse = await openTestWarehouse({ schema })
  const folder = join(warehouse.home, 'warehouse')
  const token = await readFile(tokenOf(folder), 'utf8')
  const { pid } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { pid: number }
  for (const file of ['environ', 'cmdline'])
    assert.equal((await readFile(`/proc/${pid}/${file}`, 'utf8')).includes(token), false)
})

test('each state has its sentence', () => {
  assert.match(confinementSentence({ files: true, network: true }), /no outgoing TCP/)
  assert.match(confinementSentence({ files: true, network: false }), /Outgoing connections are open/)
  assert.match(
    confinementSentence({ files: false, network: false, reason: 'Because.' }),
    /^not confined\. Because\.$/,
  )
})
