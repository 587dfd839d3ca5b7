import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { endProcess, isAlive, runs } from '#processes/processes.ts'
import { statusOf } from './folder.ts'

/** How the command line of the engine of a folder ends. */
const commandOf = (folder: string): string[] => ['warehouse/engine/main.ts', resolve(folder)]

/** Ends the engine of this folder if the process is that: the number comes from a file. */
export const endEngine = (pid: number, folder: string): Promise<void> => endProcess(pid, commandOf(folder))

/** Whether the process is the engine of this folder. */
export const isEngine = (pid: number, folder: string): Promise<boolean> => runs(pid, commandOf(folder))

/** The process that holds the data, by the engine's own lock file, if it lives. */
export async function lockHolder(folder: string): Promise<number | undefined> {
  const status = await readFile(statusOf(folder), 'utf8').catch(() => '')
  const pid = Number(/^PID: (\d+)/m.exec(status)?.[1] ?? 0)
  return pid > 0 && isAlive(pid) ? pid : undefined
}
