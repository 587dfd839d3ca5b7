/** The engine would keep the rights of root. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, test } from 'node:test'
import type { Facts } from '#kernel/errors.ts'
import { silentLog } from '#kernel/log.ts'
import { table, u32 } from '#kernel/table.ts'
import { until } from '#kernel/until.testing.ts'
import { runRaw } from '../raw.testing.ts'
import { openTestWarehouse, smallDisk } from '../testing.ts'
import { inputsOf, type Warehouse } from '../warehouse.ts'
import { dataOf, endpointOf, logOf, pipePathsOf, tokenOf } from './folder.ts'
import { holdData } from './holdData.testing.ts'
import { AUTO_USER } from './osUser.ts'
import { type EngineConfig, openEngine } from './supervise.ts'
import { decideUser, isMapped, isOtherUser, missingCapabilities, type UserChoice } from './user.ts'

const numbers = table('numbers', {
  doc: 'One row per number.',
  columns: { n: u32('the number') },
  orderBy: ['n'],
})
const schema = { tables: [numbers], baseViews: [], fills: [], views: [] }

/** Why this machine cannot prove it. */
async function reasonHere(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-user-'))
  await mkdir(dataOf(folder))
  const decided = decideUser('auto', { folder, readable: [process.execPath] })
  await rm(folder, { recursive: true })
  return 'reason' in decided ? decided.reason : undefined
}
const separable = { skip: await reasonHere() }

describe('what a user of its own keeps from the engine, and nothing else does', () => {
  const both = async (
    task: (warehouse: Warehouse & { home: string }, isSeparated: boolean) => Promise<void>,
  ): Promise<void> => {
    for (const engineUser of ['off', 'auto'] as const) {
      await using warehouse = await openTestWarehouse({ schema, isConfined: false, engineUser })
      assert.equal((await warehouse.confinement())?.files, false)
      await task(warehouse, engineUser === 'auto')
    }
  }

  test(
    'reading the token, secrets beside it, other data of the home, environments of processes',
    separable,
    async () => {
      await both(async (warehouse, isSeparated) => {
        const { home } = warehouse
        await writeFile(join(home, 'secret'), 'secret of the operator', { mode: 0o600 })
        await mkdir(join(home, 'store'), { mode: 0o700 })
        await writeFile(join(home, 'store', 'accounts'), 'accounts')
        for (const [path, content] of [
          [tokenOf(join(home, 'warehouse')), /^[\w-]{32}\n?$/],
          [endpointOf(join(home, 'warehouse')), /"port"/],
          [join(home, 'secret'), /secret of the operator/],
          [join(home, 'store', 'accounts'), /accounts/],
          ['/etc/shadow', /root:/],
          [`/proc/${process.pid}/environ`, /PATH=/],
        ] as const)
          for (const query of [
            `SELECT file('${path}') FORMAT TSVRaw`,
            `SELECT * FROM file('${path}', 'RawBLOB', 's String') FORMAT RawBLOB`,
          ]) {
            const answer = await runRaw(warehouse, query)
            if (isSeparated) assert.match(answer, /^failed: .*Permission denied/, query)
            else assert.match(answer, content, query)
          }
        // Where many tests run, the folder is a copy that everybody may list.
        await chmod(home, 0o711)
        const listed = await runRaw(warehouse, `SELECT count() FROM file('${home}/*', 'One')`)
        assert.equal(listed === '0\n' || listed.startsWith('failed: '), isSeparated, listed)
      })
    },
  )

  test('writing over the token and the endpoint, or into another folder', separable, async () => {
    await both(async (warehouse, isSeparated) => {
      const folder = join(warehouse.home, 'warehouse')
      const before = await readFile(tokenOf(folder), 'utf8')
      for (const query of [
        `SELECT 1 INTO OUTFILE '${join(warehouse.home, 'out')}'`,
        `SELECT 1 INTO OUTFILE '${join(folder, 'out')}'`,
        `INSERT INTO FUNCTION file('${join(inputsOf(warehouse.home), 'out')}', 'TSV', 'a UInt8') SELECT 1`,
        `SELECT 1 INTO OUTFILE '${endpointOf(folder)}' TRUNCATE`,
        `SELECT 1 INTO OUTFILE '${tokenOf(folder)}' TRUNCATE`,
      ]) {
        const answer = await runRaw(warehouse, query)
        if (isSeparated) assert.match(answer, /^failed: .*Permission denied/, query)
        else assert.equal(answer, '', query)
      }
      assert.equal((await readFile(tokenOf(folder), 'utf8')) === before, isSeparated)
    })
  })

  test('root’s capabilities and groups', separable, async () => {
    await both(async (warehouse, isSeparated) => {
      const { pid } = JSON.parse(await readFile(endpointOf(join(warehouse.home, 'warehouse')), 'utf8'))
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const uids = /^Uid:\s+(.*)$/m.exec(status)?.[1]?.split('\t').map(Number)
      assert.deepEqual(uids, Array(4).fill(isSeparated ? AUTO_USER.uid : 0))
      if (!isSeparated) return
      assert.match(status, /^Groups:\s*$/m)
      for (const set of ['Prm', 'Eff', 'Amb']) assert.match(status, new RegExp(`^Cap${set}:\\s*0+$`, 'm'))
    })
  })
})

test(
  'data passes from one user to the other and back; inserts, merges, temporary files and files to load work',
  separable,
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'assay-user-'))
    const outside = await mkdtemp(join(tmpdir(), 'assay-outside-'))
    const folder = join(home, 'warehouse')
    const owners = async (): Promise<number[]> => {
      const paths = globSync('**', { cwd: dataOf(folder) }).map(path => join(dataOf(folder), path))
      const uids = await Promise.all(
        [...paths, ...pipePathsOf(folder, 1)].map(async path => (await lstat(path)).uid),
      )
      return [...new Set(uids)]
    }
    try {
      await writeFile(join(outside, 'file'), '')
      for (const [n, engineUser] of (
        ['off', 'auto', 'auto', 'off', { uid: 61_101, gid: 61_102 }, 'auto', 'auto'] as UserChoice[]
      ).entries()) {
        // A part of a backup has been restored, or a release that knows no other user has run, which closes the folder too.
        if (n === 2) await chmod(folder, 0o700)
        if (n === 2 || n === 6) {
          const [file = ''] = globSync('**/columns.txt', { cwd: dataOf(folder) })
          await chown(join(dataOf(folder), file), 0, 0)
        }
        await using warehouse = await openTestWarehouse({ schema, home, engineUser })
        const decided = await warehouse.engineUser()
        const user = decided && 'user' in decided ? decided.user : undefined
        assert.deepEqual(
          user,
          engineUser === 'auto' ? AUTO_USER : engineUser === 'off' ? undefined : engineUser,
        )
        assert.deepEqual(await owners(), [user?.uid ?? 0])
        await warehouse.insertRows(numbers, [{ n: 2 * n }])
        const file = join(inputsOf(home), 'numbers.native')
        // Native: one column, one row; name, type, value.
        await writeFile(
          file,
          Buffer.from(`\x01\x01\x01n\x06UInt32${String.fromCharCode(2 * n + 1)}\0\0\0`, 'latin1'),
        )
        await chmod(file, 0o640)
        await warehouse.insertNativeFile(numbers, file)
        assert.equal(await runRaw(warehouse, 'OPTIMIZE TABLE base.numbers FINAL'), '')
        const rows = await runRaw(
          warehouse,
          'SELECT groupArray(n) FROM (SELECT n FROM base.numbers ORDER BY n)',
        )
        assert.equal(rows, `[${Array.from({ length: 2 * n + 2 }, (_, i) => i)}]\n`)
        assert.equal(
          await runRaw(
            warehouse,
            'SELECT count() FROM (SELECT number AS n FROM numbers(300000) GROUP BY n SETTINGS max_bytes_before_external_group_by = 100000)',
          ),
          '300000\n',
        )
        assert.equal((await stat(folder)).mode & 0o777, user === undefined ? 0o700 : 0o710)
        assert.equal((await stat(home)).mode & 0o067, 0)
        // A link in the data leads to what is not the engine's.
        if (n === 0) await symlink(outside, join(dataOf(folder), 'link'))
      }
      for (const path of [outside, join(outside, 'file'), tokenOf(folder)])
        assert.equal((await stat(path)).uid, 0)
    } finally {
      for (const path of [home, outside]) await rm(path, { recursive: true, force: true })
    }
  },
)

describe('starts', () => {
  type Said = { message: string; facts: Facts | undefined }
  async function open(
    user: UserChoice,
    prepare?: (folder: string) => Promise<void>,
    more: Partial<EngineConfig> = {},
  ) {
    const home = await mkdtemp(join(tmpdir(), 'assay-start-'))
    const folder = join(home, 'within', 'warehouse')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await prepare?.(folder)
    const said: Said[] = []
    const note = (message: string, facts?: Facts) => void said.push({ message, facts })
    const log = { ...silentLog, info: note, warn: note }
    const confinement = { isOn: false, user }
    const config = { folder, memoryBytes: 2 ** 29, readers: 1, graceMs: 0, confinement, log, ...more }
    const opening = openEngine(config)
    const [opened] = await Promise.allSettled([opening])
    return {
      opened,
      said,
      folder,
      async [Symbol.asyncDispose]() {
        if (opened.status === 'fulfilled') await opened.value[Symbol.asyncDispose]()
        await rm(home, { recursive: true, force: true })
      },
    }
  }

  test('an engine that is killed runs as the other user again', separable, async () => {
    await using started = await open('auto', folder => chmod(join(folder, '..', '..'), 0o755))
    assert.equal(started.opened.status, 'fulfilled')
    const engine = started.opened.value
    const first = await engine.endpoint()
    process.kill(first.pid, 'SIGKILL')
    const next = await until('another engine runs', async () => {
      const alive = await engine.alive()
      return alive.pid !== first.pid && alive
    })
    assert.deepEqual(next.user, { user: AUTO_USER })
    assert.equal((await stat(`/proc/${next.pid}`)).uid, AUTO_USER.uid)
  })

  test(
    'data on which the engine breaks does not bring it back to the user of the server',
    separable,
    async () => {
      await using started = await open('auto', async folder => {
        await chmod(join(folder, '..', '..'), 0o755)
        // The engine writes a file of this name.
        await mkdir(join(dataOf(folder), 'status'), { recursive: true })
      })
      assert.equal(started.opened.status, 'rejected')
      assert.deepEqual(started.said, [])
    },
  )

  test(
    'where a folder above ours is closed it runs as the user of the server, and the log says why',
    separable,
    async () => {
      await using started = await open('auto')
      assert.equal(started.opened.status, 'fulfilled')
      const { user, pid } = await started.opened.value.endpoint()
      assert.match(user && 'reason' in user ? user.reason : '', /assay-start-\w+ is closed to other users\.$/)
      assert.match(
        String(started.said[0]?.facts?.user),
        /^runs as the user of the server\. .* is closed to other/,
      )
      assert.equal((await stat(`/proc/${pid}`)).uid, 0)
    },
  )

  test('a user of the configuration is demanded: where it cannot be, nothing starts', separable, async () => {
    await using started = await open({ uid: 61_101, gid: 61_102 })
    assert.equal(started.opened.status, 'rejected')
    const { code, message } = started.opened.reason
    assert.equal(code, 'warehouse.engine_start')
    assert.match(message, /WAREHOUSE_USER\. .* is closed to other users\.$/)
  })

  const OWNER = { uid: 61_105, gid: 61_105 }
  const openedToAll = (folder: string) => chmod(join(folder, '..', '..'), 0o755)
  const toOwner = async (folder: string) => {
    await openedToAll(folder)
    for (const path of [join(folder, '..'), folder]) await chown(path, OWNER.uid, OWNER.gid)
  }

  test('root takes no data from another user: the engine runs as that user', separable, async () => {
    await using started = await open('auto', toOwner)
    const { opened, folder } = started
    assert.equal(opened.status, 'fulfilled', String(Object(opened).reason))
    const { user, pid } = await opened.value.endpoint()
    assert.deepEqual(user, { user: OWNER })
    assert.equal((await stat(`/proc/${pid}`)).uid, OWNER.uid)
    const paths = [folder, tokenOf(folder), endpointOf(folder), logOf(folder), ...pipePathsOf(folder, 1)]
    const data = globSync('**', { cwd: dataOf(folder) }).map(path => join(dataOf(folder), path))
    for (const path of [...paths, ...data]) {
      const { uid, gid } = await lstat(path)
      assert.deepEqual({ uid, gid }, OWNER, path)
    }
  })

  test('a user of the configuration gets no data of another user', separable, async () => {
    await using started = await open({ uid: 61_101, gid: 61_102 }, toOwner)
    assert.equal(started.opened.status, 'rejected')
    assert.match(started.opened.reason.message, /WAREHOUSE_USER\. .*warehouse belongs to user 61105\.$/)
    assert.equal((await stat(dataOf(started.folder))).gid, 0)
  })

  test('data that an engine of an older release has open stays as it is', separable, async () => {
    const holders = new AsyncDisposableStack()
    await using _ = holders
    let pid = 0
    const prepare = async (folder: string) => {
      await openedToAll(folder)
      await mkdir(dataOf(folder))
      pid = holders.use(await holdData(folder)).pid
    }
    await using started = await open('auto', prepare, { startTimeoutMs: 0 })
    assert.equal(started.opened.status, 'rejected')
    assert.equal(started.opened.reason.code, 'warehouse.locked')
    assert.deepEqual(started.opened.reason.facts, { pid })
    assert.equal((await stat(dataOf(started.folder))).uid, 0)
  })

  test('who joins an engine that runs as somebody else is warned', separable, async () => {
    await using started = await open('auto', openedToAll)
    const { folder } = started
    for (const [user, warns] of [
      ['auto', false],
      ['off', true],
      [{ uid: 61_101, gid: 61_102 }, true],
    ] as const) {
      const warnings: Facts[] = []
      const log = { ...silentLog, warn: (_: string, facts: Facts = {}) => void warnings.push(facts) }
      const confinement = { isOn: false, user }
      await using engine = await openEngine({
        folder,
        memoryBytes: 2 ** 29,
        readers: 1,
        graceMs: 0,
        confinement,
        log,
      })
      assert.deepEqual((await engine.endpoint()).user, { user: AUTO_USER })
      assert.deepEqual(
        warnings.map(({ engine: runs, setting }) => [runs, setting]),
        warns ? [['runs as user 61100', user === 'off' ? 'off' : '61101:61102']] : [],
      )
    }
  })

  test('a data disk that cannot be written stops the start, with a sentence', separable, async t => {
    using disk = smallDisk(1)
    if (disk === undefined) return t.skip('needs a file system of its own')
    const mounted = new DisposableStack()
    using _ = mounted
    const prepare = async (folder: string) => {
      await openedToAll(folder)
      const data = dataOf(folder)
      await mkdir(data)
      await chmod(disk.path, 0o700)
      execFileSync('mount', ['--bind', disk.path, data])
      mounted.defer(() => execFileSync('umount', [data]))
      execFileSync('mount', ['-o', 'remount,bind,ro', data])
    }
    await using started = await open('auto', prepare)
    mounted.dispose()
    assert.equal(started.opened.status, 'rejected')
    const { code, message, hint } = started.opened.reason
    assert.equal(code, 'warehouse.engine_start')
    assert.match(
      message,
      /cannot be started as another user\. .* cannot be written: the disk is read-only\.$/,
    )
    assert.match(hint, /^Make .*data writable, then start again\.$/)
  })
})

test('whoever is not root keeps its user', { skip: process.geteuid?.() === 0 && 'runs as root' }, () => {
  const decided = decideUser('auto', { folder: tmpdir(), readable: [] })
  assert.match('reason' in decided ? decided.reason : '', /Only root|Linux only/)
})

test('capabilities and ids of a user namespace are read as the kernel prints them', () => {
  assert.deepEqual(missingCapabilities('000001ffffffffff'), [])
  // The default of Docker, and that without CAP_CHOWN and CAP_SETUID.
  assert.deepEqual(missingCapabilities('00000000a80425fb'), [])
  assert.deepEqual(missingCapabilities('00000000a804257a'), ['CHOWN', 'SETUID'])
  assert.equal(missingCapabilities('0').length, 6)
  assert.equal(isMapped(61_100, '         0          0 4294967295\n'), true)
  const rootless = '         0       1000          1\n         1     100000      65536\n'
  assert.equal(isMapped(61_100, rootless), true)
  assert.equal(isMapped(65_537, rootless), false)
  assert.equal(isMapped(61_100, '         0       1000          1\n'), false)
})

test('a running engine is compared with the setting of whoever joins it', () => {
  const own = { reason: 'It is switched off.' }
  const unable = { reason: 'This container has no uid 61100.' }
  const user = (uid: number) => ({ user: { uid, gid: uid } })
  for (const [choice, running, isOther] of [
    ['off', own, false],
    ['off', unable, false],
    ['off', user(61_100), true],
    ['auto', user(61_100), false],
    ['auto', user(61_101), true],
    ['auto', own, true],
    // The same machine would refuse it to this process too.
    ['auto', unable, false],
    [{ uid: 61_101, gid: 61_101 }, user(61_101), false],
    [{ uid: 61_101, gid: 61_102 }, user(61_101), true],
    [{ uid: 61_101, gid: 61_101 }, unable, true],
  ] as const)
    assert.equal(isOtherUser(choice, running, tmpdir()), isOther, JSON.stringify([choice, running]))
})
