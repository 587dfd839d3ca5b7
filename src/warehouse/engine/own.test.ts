/** Data would become unreadable when the server runs as another user. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { smallDisk } from '../testing.ts'
import { dataOf, isSharedFolder, noFilesOf, pipesOf, prepareFolder, tokenOf } from './folder.ts'
import { holdData } from './holdData.testing.ts'
import { refusalToLock } from './lock.ts'
import { AUTO_USER, type EngineUser } from './osUser.ts'
import { startAsOwner } from './own.ts'
import { decideUser } from './user.ts'

const asRoot = { skip: process.geteuid?.() === 0 ? refusalToLock() : 'needs root' }
const OTHER: EngineUser = { uid: 61_101, gid: 61_102 }

/** A folder of an engine with one file of data, in a home that belongs to its owner alone. */
async function preparedFolder() {
  const home = await mkdtemp(join(tmpdir(), 'assay-own-'))
  const folder = join(home, 'warehouse')
  const input = join(home, 'staging')
  prepareFolder(folder, 1, [input])
  const part = join(dataOf(folder), 'store', 'part')
  await mkdir(part, { recursive: true })
  const file = join(part, 'columns.txt')
  await writeFile(file, 'columns')
  return {
    home,
    folder,
    file,
    own: (user: EngineUser | undefined, start = async () => 'started') =>
      startAsOwner(folder, { inputs: [input], user }, start),
    decide: () => decideUser('auto', { folder, readable: [] }),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

const ownersOf = async (path: string) => {
  const { uid, gid } = await lstat(path)
  return { uid, gid }
}

test(
  'files that a restored backup leaves to root below data of the right owner are given',
  asRoot,
  async () => {
    await using prepared = await preparedFolder()
    const { file, own } = prepared
    await own(AUTO_USER)
    for (const path of [file, dirname(file)]) {
      await chown(path, 0, 0)
      await own(AUTO_USER)
      assert.deepEqual(await ownersOf(path), AUTO_USER)
    }
    // A group alone, as of an archive that was unpacked by the engine's user.
    await chown(file, AUTO_USER.uid, 0)
    await own(AUTO_USER)
    assert.deepEqual(await ownersOf(file), AUTO_USER)
  },
)

test('a start that finds the right owners writes to no file', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { file, own } = prepared
  await own(AUTO_USER)
  const before = await stat(file, { bigint: true })
  await own(AUTO_USER)
  assert.equal((await stat(file, { bigint: true })).ctimeNs, before.ctimeNs)
})

test('nothing changes its owner while any engine has the data open', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { home, folder, file, own } = prepared
  {
    await using _ = await holdData(folder)
    assert.equal(await own(AUTO_USER, () => assert.fail()), 'held')
    assert.deepEqual(await ownersOf(file), { uid: 0, gid: 0 })
    assert.equal(isSharedFolder(folder), false)
    assert.equal((await stat(home)).mode & 0o777, 0o700)
  }
  assert.equal(await own(AUTO_USER), 'started')
})

test('of two starts with different users the first decides', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { file, own } = prepared
  await own(AUTO_USER, async () => {
    // The engine is not there yet, and nobody has locked the data.
    assert.equal(await own(OTHER, () => assert.fail()), 'held')
    assert.deepEqual(await ownersOf(file), AUTO_USER)
    return 'started'
  })
  await own(OTHER)
  assert.deepEqual(await ownersOf(file), OTHER)
})

test(
  'data goes from any user of the engine to any other, the way through the home with it',
  asRoot,
  async () => {
    await using prepared = await preparedFolder()
    const { home, file, own, decide } = prepared
    for (const user of [OTHER, AUTO_USER, OTHER, { uid: 61_103, gid: 61_103 }, undefined]) {
      assert.equal(await own(user), 'started')
      assert.deepEqual(await ownersOf(file), user ?? { uid: 0, gid: 0 })
      const { mode, gid } = await stat(home)
      assert.equal(mode & 0o777, user === undefined ? 0o700 : 0o710)
      if (user !== undefined) assert.equal(gid, user.gid)
      // The default never falls back to the user of the server because of an earlier setting.
      assert.deepEqual(decide(), { user: AUTO_USER })
    }
  },
)

test('a folder that was given to the engine whole goes back to root, but not its data', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { folder, file, own, decide } = prepared
  await writeFile(tokenOf(folder), 'token')
  for (const path of [folder, tokenOf(folder), dataOf(folder), file])
    await chown(path, AUTO_USER.uid, AUTO_USER.gid)
  assert.deepEqual(decide(), { user: AUTO_USER })
  await own(AUTO_USER)
  assert.deepEqual(await ownersOf(tokenOf(folder)), { uid: 0, gid: 0 })
  assert.deepEqual(await ownersOf(folder), { uid: 0, gid: AUTO_USER.gid })
  assert.deepEqual(await ownersOf(file), AUTO_USER)
})

test('a group that the operator has chosen for the home keeps it', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { home, decide } = prepared
  await chown(home, 0, 61_104)
  await chmod(home, 0o710)
  assert.match((decide() as { reason: string }).reason, /is closed to other users\.$/)
})

test('folders that an older release left open are closed', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { home, folder, own } = prepared
  const input = join(home, 'staging')
  const paths = [folder, dataOf(folder), pipesOf(folder), noFilesOf(folder), input]
  const modes = () => Promise.all(paths.map(async path => (await stat(path)).mode & 0o777))
  for (const path of paths) await chmod(path, 0o755)
  prepareFolder(folder, 1, [input])
  assert.deepEqual(await modes(), [0o700, 0o700, 0o700, 0o500, 0o700])
  await own(AUTO_USER)
  const shared = await modes()
  assert.deepEqual(shared, [0o710, 0o700, 0o750, 0o550, 0o750])
  // As while an engine of another user runs.
  prepareFolder(folder, 1, [input])
  assert.deepEqual(await modes(), shared)
})

test('where a file cannot be given, the error names it and says what to do', asRoot, async t => {
  using disk = smallDisk(1)
  if (disk === undefined) return t.skip('needs a file system of its own')
  await using prepared = await preparedFolder()
  const { folder, own } = prepared
  const within = join(dataOf(folder), 'disk')
  await mkdir(within)
  await writeFile(join(disk.path, 'part'), '')
  execFileSync('mount', ['--bind', disk.path, within])
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', within])
    await assert.rejects(own(AUTO_USER), {
      code: 'warehouse.engine_start',
      message: /^The data of the warehouse cannot be given to user 61100\. .*data\/disk.*Read-only/,
      hint: `Run \`chown -R 61100:61100 ${dataOf(folder)}\` as root, then start again.`,
    })
  } finally {
    execFileSync('umount', [within])
  }
})

test('root follows no link that another user has put into the folder', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { home, folder } = prepared
  const secret = join(home, 'secret')
  await mkdir(secret, { mode: 0o755 })
  await writeFile(join(secret, 'kept'), 'kept')
  for (const path of [noFilesOf(folder), pipesOf(folder)]) {
    await rm(path, { recursive: true })
    await symlink(secret, path)
    await lchown(path, OTHER.uid, OTHER.gid)
    assert.throws(() => prepareFolder(folder, 1, []), {
      code: 'warehouse.engine_start',
      message: /is a link of user/,
    })
    assert.equal(await readFile(join(secret, 'kept'), 'utf8'), 'kept')
    assert.equal((await stat(secret)).mode & 0o777, 0o755)
    await rm(path)
    await mkdir(path)
  }
})

test('a folder that a link of root leads to is given, not the link', asRoot, async () => {
  await using prepared = await preparedFolder()
  const { home, folder } = prepared
  const elsewhere = join(home, 'elsewhere')
  await rename(folder, elsewhere)
  await symlink(elsewhere, folder)
  await prepared.own(AUTO_USER)
  assert.deepEqual(await ownersOf(elsewhere), { uid: 0, gid: AUTO_USER.gid })
})

/** What root must leave alone, in a place where names lie as in the folder of an engine. */
async function victimOf(home: string) {
  const victim = join(home, 'victim')
  const files = ['data', 'pipes', 'no-files'].map(name => join(victim, name, 'secret'))
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 })
    await writeFile(file, 'secret')
  }
  const states = () =>
    Promise.all(
      [victim, ...files.map(file => dirname(file)), ...files].map(async path => {
        const { uid, gid, mode } = await lstat(path)
        return `${path} ${uid}:${gid} ${mode.toString(8)}`
      }),
    )
  return { victim, states, before: await states() }
}

/** Runs `task` with a program that first lets the owner of the folder swap something, once, and then does its work. */
async function whileSwapping<T>(
  home: string,
  program: string,
  swap: string,
  task: () => Promise<T>,
): Promise<T> {
  const programs = join(home, 'programs')
  await mkdir(programs, { recursive: true })
  const real = execFileSync('which', [program], { encoding: 'utf8' }).trim()
  await writeFile(
    join(programs, program),
    `#!/bin/sh\nif [ "$1" != --version ] && [ ! -e ${home}/swapped ]; then touch ${home}/swapped; ${swap}; fi\nexec ${real} "$@"\n`,
    { mode: 0o755 },
  )
  const path = process.env.PATH
  process.env.PATH = `${programs}:${path}`
  try {
    return await task()
  } finally {
    process.env.PATH = path
    assert.equal((await lstat(join(home, 'swapped'))).size, 0)
    await rm(programs, { recursive: true })
    await rm(join(home, 'swapped'))
  }
}

// `flock` runs before the first change, `find` between the look and `chown`, and `chown` when all has been looked at.
for (const program of ['flock', 'find', 'chown'])
  for (const name of ['.', 'data', 'pipes', 'no-files'])
    test(`a link put in place of ${name} when ${program} runs leads root nowhere`, asRoot, async () => {
      await using prepared = await preparedFolder()
      const { home, folder, own } = prepared
      await using outside = await mkdtempDisposable(join(tmpdir(), 'assay-victim-'))
      const { victim, states, before } = await victimOf(outside.path)
      for (const path of [home, folder]) await chown(path, OTHER.uid, OTHER.gid)
      const from = join(folder, name)
      const to = join(victim, name)
      const swap = `mv ${from} ${home}/moved && ln -s ${to} ${from.replace(/\/$/, '')} && chown -h ${OTHER.uid}:${OTHER.gid} ${from}`
      await whileSwapping(home, program, swap, () =>
        own(OTHER).catch((cause: { code?: string }) => assert.equal(cause.code, 'warehouse.engine_start')),
      )
      assert.equal((await lstat(from)).isSymbolicLink(), true)
      assert.deepEqual(await states(), before)
    })

test(
  'a link of another user on the way to the folder is refused before anything is made',
  asRoot,
  async () => {
    await using prepared = await preparedFolder()
    const { home, folder } = prepared
    await using outside = await mkdtempDisposable(join(tmpdir(), 'assay-victim-'))
    const { victim, states, before } = await victimOf(outside.path)
    await chown(home, OTHER.uid, OTHER.gid)
    await rename(folder, join(home, 'moved'))
    await symlink(victim, folder)
    await lchown(folder, OTHER.uid, OTHER.gid)
    assert.throws(() => prepareFolder(folder, 1, []), {
      code: 'warehouse.engine_start',
      message: /the link warehouse/,
    })
    assert.deepEqual(await states(), before)
  },
)
