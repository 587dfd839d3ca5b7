import type { ClickHouseSettings } from '@clickhouse/client'
import type { SqlLimits } from '#kernel/sqlLimits.ts'
import { REFUSALS } from './failure.ts'

/** What the settings of a request come to. */
export type AppliedSettings = {
  /** How the engine writes the result, and limits that are narrower than ours. */
  readonly settings: ClickHouseSettings
  /** A client may ask for the first rows instead of an error. */
  readonly overflow: 'throw' | 'break'
}

/** How results are written. `output_format_schema` names a file. */
const OUTPUT = /^(?:output_format_(?!schema$)\w+|date_time_output_format|format_csv_delimiter)$/

/** Settings about speed, transport, writing and limits: a result is the same without them. */
const IGNORED =
  /^(?:(?:max|min|log|network|send|receive|connect|http|insert|input_format|async_insert|wait_for|distributed|optimize|allow|compile|query_cache|use_query_cache|use_uncompressed_cache|query_plan|prefer_localhost|timeout|idle|tcp|poll|remote_filesystem|local_filesystem|filesystem|merge_tree|load|parallel|s3|enable_http|enable_filesystem|enable_reads|interactive|cancel|session)\w*|wait_end_of_query|buffer_size|readonly|priority|workload|replace_running_query|stream_like_engine_allow_direct_select|select_sequential_consistency|profile)$/

/** Settings of output that change nothing where they are off. */
const OFF = new Set(['', '0', 'false'])
const UTC = /^(?:|UTC|Etc\/UTC|GMT|Etc\/GMT|Zulu|Etc\/Universal)$/i

/**
 * The settings that a client sent, as far as Assay follows them. Limits are clamped to those of the caller. What cannot
 * change a result is ignored. Throws READONLY for a setting that would change a result and is not followed.
 */
export function applySettings(sent: ReadonlyMap<string, string>, limits: SqlLimits): AppliedSettings {
  const settings: Record<string, string> = {}
  let isBreak = false
  let rows = limits.rows
  for (const [name, value] of sent) {
    if (OUTPUT.test(name)) settings[name] = value
    else if (name === 'max_execution_time') {
      const seconds = numberOf(name, value)
      if (seconds > 0 && seconds < limits.seconds) settings.max_execution_time = String(seconds)
    } else if (name === 'max_result_rows') {
      const most = numberOf(name, value)
      if (most > 0) rows = Math.min(rows, most)
    } else if (name === 'result_overflow_mode') isBreak = value === 'break'
    else if (name === 'limit' || name === 'offset') {
      const count = numberOf(name, value)
      if (count > 0) settings[name] = String(name === 'limit' ? Math.min(count, limits.rows + 1) : count)
    } else if (name === 'session_timezone') {
      if (!UTC.test(value)) throw REFUSALS.readonlySetting(name, ' Times are in UTC.')
    } else if (!IGNORED.test(name) && !OFF.has(value)) throw REFUSALS.readonlySetting(name)
  }
  // A result cut at a limit that the client did not ask for would look complete.
  const overflow = isBreak && rows < limits.rows ? 'break' : 'throw'
  // The engine breaks off between blocks: without it there would be more rows than asked for.
  if (overflow === 'break') settings.limit = String(Math.min(rows, Number(settings.limit ?? rows)))
  return { settings: { ...settings, max_result_rows: String(rows) } as ClickHouseSettings, overflow }
}

function numberOf(name: string, value: string): number {
  if (/^\d{1,18}(?:\.\d{1,9})?$/.test(value)) return Number(value)
  throw REFUSALS.badArguments(`The value of setting ${name} is not a number.`)
}
