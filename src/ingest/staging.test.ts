/** A full disk would leave partial blocks behind. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openTestWarehouse, smallDisk } from '#warehouse/testing.ts'
import { openIngest } from './openIngest.ts'
import { blkFile, createRandom, digestOf, genesisChain, growChain } from './testing.ts'

const settings = {
  codec: openBitcoinCodec({ network: 'regtest' }),
  network: 'regtest',
  log: silentLog,
} as const
const limits = { bytes: 20_000, blocks: 50, loadBytes: 60_000 }

test('a disk too full to stage rows is a clear sentence; once there is room, everything comes in', async t => {
  using disk = smallDisk(1)
  if (disk === undefined) return t.skip('this user may not mount a small file system')
  const chain = growChain(genesisChain, 160, createRandom(4), 12)
  const files = await mkdtemp(join(tmpdir(), 'assay-blocks-'))
  const file = join(files, 'blk00000.dat')
  await writeFile(file, blkFile(chain.blocks))
  await using clean = await openTestWarehouse()
  {
    await using ingest = await openIngest({ ...settings, warehouse: clean, home: clean.home, threads: 0 })
    await ingest.ingestFiles([file])
  }
  await using warehouse = await openTestWarehouse()
  await using ingest = await openIngest({ ...settings, warehouse, home: disk.path, threads: 0, limits })
  const ballast = join(disk.path, 'ballast')
  await writeFile(ballast, Buffer.alloc(950_000))
  await assert.rejects(ingest.ingestFiles([file]), {
    code: 'ingest.disk_full',
    message: /The disk that holds .*staging.* is full/,
    hint: /Free space there/,
  })
  await rm(ballast)
  await ingest.ingestFiles([file])
  assert.deepEqual(await digestOf(warehouse), await digestOf(clean))
  await rm(files, { recursive: true })
})

test('nothing stays staged: neither what a stop has left, nor what was loaded', async () => {
  const chain = growChain(genesisChain, 40, createRandom(4), 3)
  await using warehouse = await openTestWarehouse()
  const { home } = warehouse
  const left = join(home, 'staging', '7')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, 'btc_outputs.native'), 'half a block')
  await using ingest = await openIngest({ ...settings, warehouse, home, threads: 0, limits })
  assert.equal(existsSync(left), false)
  const file = join(home, 'blk00000.dat')
  await writeFile(file, blkFile(chain.blocks))
  await ingest.ingestFiles([file])
  assert.deepEqual(await readdir(join(home, 'staging')), [])
})
