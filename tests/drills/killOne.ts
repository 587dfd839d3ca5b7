import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Moments to choose from. */
export type KillMoment = {
  /** Expected number of messages. It is killed between the first and the last. */
  readonly most?: number
  /** How long after a message, milliseconds. */
  readonly withinMs?: number
  /** Whether a message counts. */
  readonly counts?: (message: unknown) => boolean
}

/** When a process was killed, in words, and how many commits it had told of. */
export type Kill = { readonly moment: string; readonly told: number }

/**
 * Kills an ingest, and half the times its engine too, at a random moment of its work. The process tells of each commit by a
 * message.
 * @returns undefined where the work was over before
 */
export async function killOne(
  child: ChildProcess,
  home: string,
  random: () => number,
  { most = 6, withinMs = 60, counts = () => true }: KillMoment = {},
): Promise<Kill | undefined> {
  const exited = once(child, 'exit')
  const withEngine = random() < 0.5
  const steps = Math.floor(random() * Math.max(1, most))
  const delayMs = random() * withinMs
  let seen = 0
  const isDue = new Promise<void>(resolve => {
    child.on('message', message => {
      if (counts(message) && seen++ === steps) resolve()
    })
  })
  await Promise.race([isDue, exited])
  // Somewhere between two commits.
  await new Promise(resolve => setTimeout(resolve, delayMs))
  if (child.exitCode !== null) {
    assert.equal(child.exitCode, 0, 'what is not killed ends by itself')
    return undefined
  }
  child.kill('SIGKILL')
  if (withEngine) await killEngine(home)
  await exited
  return {
    moment: `${withEngine ? 'with its engine ' : ''}${delayMs.toFixed(0)} ms after step ${seen}`,
    told: seen,
  }
}

export async function killEngine(home: string): Promise<void> {
  const endpoint = await readFile(join(home, 'warehouse', 'endpoint.json'), 'utf8').catch(() => undefined)
  if (endpoint === undefined) return
  const { pid } = JSON.parse(endpoint) as { pid: number }
  // An engine that has ended by itself may have left its number to another process.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (command.includes('warehouse/engine')) process.kill(pid, 'SIGKILL')
}
