import process from 'node:process'
import { AssayError } from '#kernel/errors.ts'

/**
 * Prints a line of a command's answer and waits until it is taken, so that a slow reader fills no memory. False once
 * nobody reads any more (`assay decode … | head`): the rest of the answer is nobody's loss.
 */
export async function printLine(text: string): Promise<boolean> {
  const { stdout } = process
  if (!stdout.writable) return false
  const failed = await new Promise<Error | null | undefined>(resolve => stdout.write(`${text}\n`, resolve))
  if (!failed) return true
  if (isClosed(failed)) return false
  throw new AssayError('cli.output', `The answer cannot be written: ${failed.message}.`, { cause: failed })
}

/**
 * Who reads the answer or the log may stop at any time: that ends no server, and no command in the middle of its work.
 * Any other failure to write is a failure of the command.
 */
export function surviveClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', cause => {
      if (!isClosed(cause)) process.exitCode = 1
    })
}

const isClosed = (cause: Error): boolean => 'code' in cause && cause.code === 'EPIPE'
