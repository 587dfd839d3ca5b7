import { readIngestState } from '#ingest/index.ts'
import { STACKS, type Warehouse } from '#warehouse/index.ts'

type Held = {
  readonly tip: number
  readonly tipTime: string
  readonly burnTip: number
  readonly unknowns: string
  readonly refused: string
  readonly strangers: string
}

/** What is held of Stacks, a line each; nothing before the first message. */
export async function stacksLines(warehouse: Warehouse): Promise<string[]> {
  const rows = async <Row>(query: string): Promise<Row[]> =>
    (await warehouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
  const ranges = await rows<{ from: number; to: number }>(
    'SELECT from_height AS `from`, to_height AS `to` FROM stx_coverage ORDER BY from_height',
  )
  const state = await readIngestState(warehouse, { family: STACKS })
  if (ranges.length === 0 && state === undefined) return []
  const [held] = await rows<Held>(`
SELECT
  max(height) AS tip,
  formatDateTime(argMax(block_time, height), '%Y-%m-%dT%H:%i:%SZ') AS tipTime,
  (SELECT max(height) FROM stx_burn_blocks) AS burnTip,
  (SELECT toString(count()) FROM stx_unknowns) AS unknowns,
  (SELECT toString(countIf(reason NOT IN ('', 'unknown path'))) FROM stx_kept_messages) AS refused,
  (SELECT toString(countIf(reason = 'unknown path')) FROM stx_kept_messages) AS strangers
FROM stx_blocks`)
  return [
    'stacks',
    `  newest block  ${ranges.length > 0 && held ? `${held.tip} of ${held.tipTime}` : 'none'}`,
    `  bitcoin       ${held && held.burnTip > 0 ? `${held.burnTip}` : 'none'}`,
    `  held          ${ranges.map(({ from, to }) => `${from} to ${to}`).join(', ') || 'no run of blocks'}`,
    `  refused       ${held?.refused ?? 0}`,
    `  unknown       ${held?.unknowns ?? 0} parts of blocks, ${held?.strangers ?? 0} messages; kept`,
    ...(state?.sentence ? [`  stands still  ${state.sentence}`] : []),
  ]
}
