/** An archive of a Stacks node could not be loaded, or would lose events. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { AssayError } from '#kernel/errors.ts'
import { STACKS_ARCHIVES } from '#tests/recordedStacks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import {
  type ArchivedMessage,
  parseMessage,
  readArchive,
  readArchiveParts,
  type StacksMessage,
} from '../index.ts'

const pathOf = (archive: string): string => shared(`data/stacks/events/${archive}`)

async function all(file: string): Promise<ArchivedMessage[]> {
  const messages: ArchivedMessage[] = []
  for await (const message of readArchive(file)) messages.push(message)
  return messages
}

async function withFile<T>(contents: Buffer | string, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  try {
    const file = join(folder, 'events.tsv')
    await writeFile(file, contents)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('parts of an archive are whole lines, no longer than twice what is asked for and one line, and together the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 2000 }),
      async (lengths, partBytes) => {
        const text = lengths.map(length => `${'x'.repeat(length)}\n`).join('')
        await withFile(text, async file => {
          const parts: string[] = []
          for await (const { bytes } of readArchiveParts(file, partBytes))
            parts.push(Buffer.from(bytes).toString())
          assert.equal(parts.join(''), text)
          assert.ok(parts.every(part => part.endsWith('\n') && part.length <= 2 * partBytes + 401))
        })
      },
    ),
    { numRuns: 50 },
  )
})

describe('archives of events', () => {
  test('every recorded message is read, and all of it is known', skipWithoutShared, async () => {
    const counts: Record<string, number> = {}
    const add = (what: string, count = 1) => {
      counts[what] = (counts[what] ?? 0) + count
    }
    const ids = new Set<string>()
    for (const archive of STACKS_ARCHIVES)
      for (const { path, json } of await all(pathOf(archive))) {
        const message = parseMessage(path, json)
        add(message.kind)
        if (message.kind !== 'block') continue
        const { block } = message
        ids.add(block.id)
        assert.deepEqual(block.unknown, [])
        add('transactions', block.transactions.length)
        add('bitcoin operations', block.transactions.filter(({ raw }) => raw === null).length)
        add('rewards', block.minerRewards.length)
        for (const { body } of block.events) add(body.kind === 'transfer' ? body.standard : body.kind)
        if (block.rewardSet) add('signers', block.rewardSet.signers?.length ?? 0)
      }
    assert.deepEqual(counts, {
      kept: 3972,
      block: 963,
      burn_block: 664,
      microblocks: 5,
      mempool: 509,
      transactions: 1523,
      'bitcoin operations': 7,
      rewards: 20,
      stx: 1111,
      ft: 959,
      nft: 29,
      lock: 42,
      print: 150,
      signers: 27,
    })
  })

  test('what packs an archive makes no difference, nor do line ends', skipWithoutShared, async () => {
    const archive = pathOf('mainnet-block0.tsv.gz')
    const plain = await all(archive)
    const text = plain
      .map(({ line, path, json }) => `${line}\t2021-07-28 22:04:25.107736+00\t${path}\t${json}`)
      .join('\r\n')
    for (const contents of [text, gzipSync(text), zstdCompressSync(text)])
      await withFile(contents, async file => {
        const read = await all(file)
        assert.deepEqual(
          read.map(({ path, json }) => [path, json]),
          plain.map(({ path, json }) => [path, json]),
        )
        assert.equal(read[0]!.receivedAtMs, Date.UTC(2021, 6, 28, 22, 4, 25, 107))
      })
  })

  test('a line that is none is an error that names file and line; a cut archive says so', async () => {
    const good = '1\t2021-07-28 22:04:25+00\t/new_mempool_tx\t[]\n'
    const refused = async (contents: string | Buffer, code: string, line: number) => {
      await withFile(contents, file =>
        assert.rejects(all(file), thrown => {
          assert.ok(thrown instanceof AssayError)
          assert.equal(thrown.code, code)
          assert.deepEqual(thrown.facts, { file, line })
          assert.match(thrown.message, new RegExp(`${file.replaceAll('.', '\\.')}.*line ${line}`))
          return true
        }),
      )
    }
    await refused(`${good}2\t2021-07-28 22:04:25+00\t/new_block\n`, 'archive.line', 2)
    await refused(`${good}${good}3\tyesterday\t/new_block\t{}\n`, 'archive.line', 3)
    await refused(`${good}2\t2021-07-28 22:04:25+00\t/new_block\t{}\t{}\n`, 'archive.line', 2)
    const packed = gzipSync(good.repeat(50_000))
    await withFile(packed.subarray(0, packed.length - 200), file =>
      assert.rejects(all(file), { code: 'archive.packed' }),
    )
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a message is bent in whatever field on purpose
type Bent = any

describe('messages of a node', () => {
  const fault = (path: string, message: unknown, field: string, code: string) =>
    assert.throws(
      () => parseMessage(path, typeof message === 'string' ? message : JSON.stringify(message)),
      thrown => {
        assert.ok(thrown instanceof AssayError)
        assert.equal(thrown.facts.path, field)
        assert.equal(thrown.code, code)
        assert.ok(thrown.message.startsWith(`${field}: `))
        return true
      },
    )

  test('a field that does not fit is named with its place', skipWithoutShared, async () => {
    const [block] = await all(pathOf('mainnet-poison-microblock-760063.tsv.gz'))
    const changed = (change: (message: Bent) => unknown): unknown => {
      const message = JSON.parse(block!.json)
      change(message)
      return message
    }
    const at = (change: (m: Bent) => unknown, field: string, code: string) =>
      fault('/new_block', changed(change), field, code)
    at(m => delete m.block_hash, 'block_hash', 'decode.missing')
    at(m => (m.block_height = -1), 'block_height', 'decode.range')
    at(m => (m.block_height = 2 ** 32), 'block_height', 'decode.range')
    at(m => (m.block_height = '7'), 'block_height', 'decode.range')
    at(m => (m.index_block_hash = '0x12'), 'index_block_hash', 'decode.hex')
    at(m => (m.transactions[3].raw_tx = '0x00zz'), 'transactions.3.raw_tx', 'decode.hex')
    at(m => (m.transactions[3].raw_tx += 'a'), 'transactions.3.raw_tx', 'decode.hex')
    at(
      m => (m.transactions[5].execution_cost.runtime = 1.5),
      'transactions.5.execution_cost.runtime',
      'decode.range',
    )
    at(m => (m.events[2].event_index = null), 'events.2.event_index', 'decode.range')
    at(m => (m.events[2].committed = 'yes'), 'events.2.committed', 'decode.type')
    at(m => (m.events = {}), 'events', 'decode.type')
    const { events } = JSON.parse(block!.json)
    const index = events.findIndex(({ type }: { type: string }) => type === 'ft_transfer_event')
    const place = `events.${index}.ft_transfer_event`
    at(m => (m.events[index].ft_transfer_event.amount = '1e9'), `${place}.amount`, 'decode.range')
    at(
      m => (m.events[index].ft_transfer_event.amount = String(2n ** 128n)),
      `${place}.amount`,
      'decode.range',
    )
    at(m => (m.events[index].ft_transfer_event.sender = 'bob'), `${place}.sender`, 'decode.principal')
    at(m => delete m.events[index].ft_transfer_event, place, 'decode.missing')
  })

  test('amounts to the limit of 128 bits keep all their digits', skipWithoutShared, async () => {
    const [archived] = await all(pathOf('mainnet-poison-microblock-760063.tsv.gz'))
    const raw = JSON.parse(archived!.json)
    const index = raw.events.findIndex(({ type }: { type: string }) => type === 'ft_transfer_event')
    const most = 2n ** 128n - 1n
    raw.events[index].ft_transfer_event.amount = String(most)
    const message = parseMessage('/new_block', JSON.stringify(raw))
    assert.ok(message.kind === 'block')
    const { body } = message.block.events[index]!
    assert.equal(body.kind === 'transfer' && body.amount, most)
  })

  test('what a newer node may add is kept: fields, kinds of events, paths', skipWithoutShared, async () => {
    const [archived] = await all(pathOf('mainnet-poison-microblock-760063.tsv.gz'))
    const raw = JSON.parse(archived!.json)
    raw.moon_phase = { full: true }
    raw.events[0].type = 'stx_bond_event'
    raw.transactions[1].weather = 'rain'
    const message = parseMessage('/new_block', JSON.stringify(raw))
    assert.ok(message.kind === 'block')
    const { block } = message
    assert.deepEqual(block.unknown, [{ name: 'moon_phase', json: '{"full":true}' }])
    assert.deepEqual(block.transactions[1]!.unknown, [{ name: 'weather', json: '"rain"' }])
    const { body } = block.events[0]!
    assert.ok(body.kind === 'unknown' && body.type === 'stx_bond_event')
    assert.deepEqual(JSON.parse(body.json), raw.events[0])
    const kept = (path: string): StacksMessage => parseMessage(path, '{"a":1}')
    assert.deepEqual(kept('/stackerdb_chunks'), { kind: 'kept', isKnown: true })
    assert.deepEqual(kept('/new_moon'), { kind: 'kept', isKnown: false })
    assert.throws(() => kept('/new_block'), { code: 'decode.missing' })
    assert.throws(() => parseMessage('/new_block', '{'), { code: 'decode.json' })
  })

  test('drops of the mempool and commits of newer nodes', () => {
    const txid = 'd7b667bb93898b1d3eba4fee86617b06b95772b192f3643256dd0821b476e36f'
    assert.deepEqual(
      parseMessage(
        '/drop_mempool_tx',
        JSON.stringify({ dropped_txids: [txid, `0x${txid}`], reason: 'ReplaceByFee' }),
      ),
      {
        kind: 'mempool_drop',
        drop: { txids: [`0x${txid}`, `0x${txid}`], reason: 'ReplaceByFee', replacedBy: null },
      },
    )
    const burn = {
      burn_block_hash: `0x${txid}`,
      consensus_hash: '0x53c166a709a9abd64a92a57f928a8b26aad08992',
      parent_burn_block_hash: `0x${txid}`,
      burn_block_height: 331,
      reward_recipients: [{ recipient: '1C56LYirKa3PFXFsvhSESgDy2acEHVAEt6', amt: 5000 }],
      pox_transactions: [
        {
          txid: `0x${txid}`,
          apparent_sender: null,
          reward_recipients: [{ recipient: '1C56LYirKa3PFXFsvhSESgDy2acEHVAEt6', amt: 5000, utxo_idx: 1 }],
        },
      ],
      reward_slot_holders: ['1C56LYirKa3PFXFsvhSESgDy2acEHVAEt6'],
      burn_amount: 12000,
    }
    const message = parseMessage('/new_burn_block', JSON.stringify(burn))
    assert.ok(message.kind === 'burn_block')
    assert.deepEqual(message.block.commits, [
      {
        txid: `0x${txid}`,
        apparentSender: null,
        outputs: [{ recipient: '1C56LYirKa3PFXFsvhSESgDy2acEHVAEt6', valueSat: 5000n, vout: 1 }],
      },
    ])
    burn.pox_transactions[0]!.reward_recipients[0]!.amt = -1
    fault('/new_burn_block', burn, 'pox_transactions.0.reward_recipients.0.amt', 'decode.range')
  })
})
