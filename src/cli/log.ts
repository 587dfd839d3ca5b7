import process from 'node:process'
import type { Facts } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'

const LEVELS = ['info', 'warn', 'error', 'silent'] as const

const shown = (facts: Facts | undefined): string =>
  Object.entries(facts ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('')

/** One plain line an event on standard error: time, level, message, facts. */
export function createLog(
  level: (typeof LEVELS)[number],
  stream: NodeJS.WritableStream = process.stderr,
): Log {
  const least = LEVELS.indexOf(level)
  const line = (rank: number, name: string) => (message: string, facts?: Facts) => {
    if (rank >= least) stream.write(`${new Date().toISOString()} ${name} ${message}${shown(facts)}\n`)
  }
  return { info: line(0, 'info '), warn: line(1, 'warn '), error: line(2, 'error') }
}
