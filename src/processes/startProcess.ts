import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { lowerPriority } from './lowerPriority.ts'

export type StartOptions = {
  /** Arguments of Node: its options, the program, arguments of the program. */
  readonly arguments: readonly string[]
  /** Sent as JSON on standard input. */
  readonly orders: object
  readonly environment: Readonly<Record<string, string | undefined>>
  /** File to which its standard error is appended. */
  readonly log: string
  readonly workingFolder?: string
  /** Another user than that of this process, which has to be root. */
  readonly user?: { readonly uid: number; readonly gid: number }
  /** CPU priority as a nice value from 0 to 19. */
  readonly nice?: number
  /** A process that has printed nothing for so long is killed. */
  readonly silenceMs: number
}

/** What a process prints first, and its number; or why it prints nothing. */
export type Started =
  | { readonly pid: number; readonly line: string }
  /** Completes a sentence: "it …". */
  | { readonly refusal: string }

/** A first line is an address. */
const MAX_LINE_LENGTH = 64 * 1024

/**
 * Starts a Node process that outlives this one, gives it its orders and waits for its first line. Never throws for a fault of the
 * process: a refusal tells.
 */
export async function startProcess(options: StartOptions): Promise<Started> {
  const log = openSync(options.log, 'a', 0o600)
  try {
    const child = spawn(process.execPath, options.arguments, {
      // A group of its own: an interrupt at the terminal reaches those who use it, and they decide.
      detached: true,
      stdio: ['pipe', 'pipe', log] as const,
      env: options.environment,
      ...(options.workingFolder !== undefined && { cwd: options.workingFolder }),
      ...options.user,
    })
    const { pid } = child
    if (pid !== undefined && options.nice !== undefined) lowerPriority(pid, options.nice)
    let timer: NodeJS.Timeout | undefined
    const started = await new Promise<Started>(resolve => {
      timer = setTimeout(() => resolve({ refusal: 'sent nothing for minutes' }), options.silenceMs).unref()
      child.once('error', ({ message }) => resolve({ refusal: `could not be started (${message})` }))
      // Not `exit`: its last words may still be on their way.
      child.once('close', (code, signal) => resolve({ refusal: `ended with ${code ?? signal}` }))
      let text = ''
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const end = text.indexOf('\n')
        if (end >= 0 && pid !== undefined) resolve({ pid, line: text.slice(0, end) })
        else if (text.length > MAX_LINE_LENGTH) resolve({ refusal: 'printed no line' })
      })
      // Ended before it has read its orders: its exit tells.
      child.stdin?.on('error', () => {})
      child.stdin?.end(JSON.stringify(options.orders))
    })
    clearTimeout(timer)
    if ('refusal' in started) child.kill('SIGKILL')
    child.stdout?.destroy()
    child.unref()
    return started
  } finally {
    closeSync(log)
  }
}
