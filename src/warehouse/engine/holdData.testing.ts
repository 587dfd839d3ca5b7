import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { statusOf } from './folder.ts'

/** A process that has the data of the folder open, as an engine of any release has: the lock, and its number in the file. */
export async function holdData(folder: string): Promise<AsyncDisposable & { readonly pid: number }> {
  const file = statusOf(folder)
  // `cat` ends with its input.
  const holder = spawn('flock', ['--no-fork', file, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  const { pid = 0 } = holder
  await writeFile(file, `PID: ${pid}\n`)
  return {
    pid,
    async [Symbol.asyncDispose]() {
      holder.stdin.end()
      await once(holder, 'exit')
    },
  }
}
