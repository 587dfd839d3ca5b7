/** A killed Stacks ingest would lose or double data. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { createRandom, digestOf } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { STACKS, STACKS_BURN, type Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogue from '../../catalog/stacks/prints.json' with { type: 'json' }
import { killOne } from './killOne.ts'

const IS_DRILL = process.env.ASSAY_DRILL === '1'
const KILLS = IS_DRILL ? 100 : 5
/** Groups of few messages: many points to be killed at. */
const GROUP_BYTES = IS_DRILL ? '3000' : '10000'
/** The recording gives its first block the Bitcoin height of a later one. */
const KNOWN_DEFECT = [1, 'one Bitcoin block a height under it']

test(`killed ${KILLS} times at any point between competing blocks, Stacks ingest loses nothing and doubles nothing`, {
  timeout: 3_600_000,
  ...skipWithoutShared,
}, async t => {
  const seed = seedOf(t)
  const random = createRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'assay-stacks-kill-'))
  const lines = linesOf()
  const expected = await digestAfter(join(folder, 'clean'), lines)
  const steps = await stepsOf(join(folder, 'steps'), lines)
  assert.ok(steps > 3, `a run tells of ${steps} commits alone: there is nowhere to kill it`)
  const killedAt: string[] = []
  let ended = 0
  for (let round = 0; killedAt.length < KILLS; round++) {
    const home = await mkdtemp(join(folder, 'home-'))
    const archive = join(home, 'events.tsv')
    await writeFile(archive, mixed(lines, random).join('\n'))
    // Each further run has less to do: where one commit is left, it is let end.
    for (let left = steps; left > 1 && killedAt.length < KILLS; ) {
      const kill = await killOne(startChild(home, archive), home, random, { most: left })
      if (kill === undefined) {
        if (++ended > 3 * KILLS) assert.fail(`${ended} runs had ended before they were killed`)
        break
      }
      killedAt.push(kill.moment)
      left -= kill.told
    }
    const [code] = await once(startChild(home, archive), 'exit')
    assert.equal(code, 0, 'a run that is not killed ends by itself')
    await using warehouse = await openTestWarehouse({ home })
    assert.deepEqual(await digestsOf(warehouse), expected, `round ${round}`)
    await using ingest = await open(warehouse, home)
    const { differences } = await ingest.verify()
    assert.deepEqual(
      differences.map(({ height, what }) => [height, what]),
      [KNOWN_DEFECT],
      `round ${round}`,
    )
    assert.deepEqual(await strangers(warehouse), [], `round ${round}`)
  }
  t.diagnostic(`${steps} commits a run; killed ${killedAt.join(', ')}; ${ended} more runs had ended before`)
  await rm(folder, { recursive: true, force: true })
})

/** The recorded reorgs; of its last two blocks, of the same height, the one that came first. */
function linesOf(): string[] {
  const lines: string[] = []
  for (const [path, message] of recordedMessages('mainnet-reorg-scenario1.tsv.gz'))
    if (!message.index_block_hash?.startsWith('0x68fb02f8'))
      lines.push(`${lines.length}\t2021-07-28 22:04:25+00\t${path}\t${JSON.stringify(message)}`)
  return lines
}

/** Some lines twice, and neighbours out of order: never further than ten lines apart. */
const mixed = (lines: readonly string[], random: () => number): string[] =>
  [...lines, ...lines.filter(() => random() < 0.3)]
    .map(line => ({ line, at: lines.indexOf(line) + random() * 10 }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)

const open = (warehouse: Warehouse, home: string) =>
  openStacksIngest({
    warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(catalogue),
    home,
    log: silentLog,
  })

async function digestAfter(file: string, lines: readonly string[]): Promise<Record<string, string>> {
  await writeFile(file, lines.join('\n'))
  await using clean = await openTestWarehouse()
  await using ingest = await open(clean, clean.home)
  await ingest.ingestArchive(file)
  return await digestsOf(clean)
}

/** How many commits a run tells of that nobody kills. */
async function stepsOf(home: string, lines: readonly string[]): Promise<number> {
  const archive = join(home, 'events.tsv')
  await mkdir(home)
  await writeFile(archive, lines.join('\n'))
  const child = startChild(home, archive)
  let told = 0
  child.on('message', () => told++)
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  return told
}

const digestsOf = async (warehouse: Warehouse): Promise<Record<string, string>> => ({
  ...(await digestOf(warehouse, STACKS)),
  ...(await digestOf(warehouse, STACKS_BURN)),
})

/** Rows that neither readers see nor the log has set aside. */
async function strangers(warehouse: Warehouse): Promise<unknown[]> {
  const found: unknown[] = []
  for (const { tables, log } of [STACKS, STACKS_BURN])
    for (const { name } of tables) {
      const answer = await warehouse.writer.query({
        query: `SELECT '${name}' AS name, batch, count() AS count FROM base.${name} WHERE batch NOT IN (
SELECT batch FROM base.${log.name} GROUP BY batch HAVING argMax(is_live, seq) OR argMax(reason, seq) = 'aside') GROUP BY batch`,
        format: 'JSONEachRow',
      })
      found.push(...(await answer.json()))
    }
  return found
}

const startChild = (home: string, archive: string): ChildProcess =>
  fork(fileURLToPath(new URL('./stacksChild.ts', import.meta.url)), [home, archive, GROUP_BYTES], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
