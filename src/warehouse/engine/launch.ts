import { mkdirSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Log } from '#kernel/log.ts'
import { ended } from '#processes/processes.ts'
import { startProcess } from '#processes/startProcess.ts'
import {
  confinedLaunch,
  confinementSentence,
  FIRST_LANDLOCK_CALL,
  plainLaunch,
  rulesOf,
} from './confinement.ts'
import { endpointOf, logOf, noFilesOf, prepareFolder } from './folder.ts'
import { endEngine } from './processes.ts'
import { roleLimits } from './roles.ts'
import { type Endpoint, type EngineStart, engineEnvironment, readListening } from './start.ts'

/** How the engine process is confined; everything has a default. */
export type ConfinementConfig = {
  /** Off starts the engine as it is. */
  readonly isOn?: boolean
  /** Folders, made where they are not there, from which the engine may load rows. */
  readonly inputs?: readonly string[]
  /** What the engine may read of the system; tests leave something out. */
  readonly system?: readonly string[]
  /** Number of the kernel's first Landlock call; another one stands for a kernel without Landlock. */
  readonly firstCall?: number
}

export type LaunchConfig = Omit<EngineStart, 'token'> & {
  readonly confinement?: ConfinementConfig
  readonly log: Log
}

export type Launcher = {
  /** Starts an engine process; what it says once it listens, or why it does not. */
  start(): Promise<Endpoint | { readonly refusal: string }>
  /**
   * For when starts have failed and nobody holds the data. True, once at most, if that was because of the confinement: later
   * starts do without it.
   */
  giveUpConfinement(): Promise<boolean>
}

/** An engine that has said nothing for so long hangs. */
export const HUNG_START_MS = 180_000

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

export function createLauncher(config: LaunchConfig, token: string): Launcher {
  const { isOn = true } = config.confinement ?? {}
  let plainReason = !isOn
    ? 'It is switched off.'
    : process.platform !== 'linux'
      ? 'Only Linux can confine it.'
      : undefined
  let mayGiveUp = plainReason === undefined
  return {
    async start() {
      const started = await launch(config, token, plainReason)
      if ('port' in started) {
        const { confinement } = started
        // A start that has succeeded confined shows that a later one fails for another reason.
        if (confinement?.files) mayGiveUp = false
        const sentence = confinement && confinementSentence(confinement)
        config.log.info('the warehouse engine has started', { pid: started.pid, confinement: sentence })
      }
      return started
    },
    async giveUpConfinement() {
      if (!mayGiveUp) return false
      mayGiveUp = false
      if (!(await failsConfinedOnly(config))) return false
      plainReason = 'This machine does not run it confined.'
      config.log.warn(
        'the warehouse engine does not start confined on this machine and is started as it is',
        {
          log: logOf(config.folder),
        },
      )
      return true
    },
  }
}

/**
 * Whether an engine without any data starts on this machine only if it is not confined. Nothing that a query has done, or has
 * made of the data, can change the answer: an engine that breaks at work is never started again without its confinement.
 */
async function failsConfinedOnly(config: LaunchConfig): Promise<boolean> {
  const folder = await mkdtemp(join(resolve(config.folder), 'probe-'))
  const starts = async (plainReason: string | undefined): Promise<boolean> => {
    const own = join(folder, plainReason ? 'a' : 'b')
    const started = await launch({ ...config, folder: own }, '', plainReason)
    if (!('port' in started)) return false
    await endEngine(started.pid, own)
    await ended(started.pid)
    return true
  }
  try {
    return !(await starts(undefined)) && (await starts('This is a test of the machine.'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function launch(
  config: LaunchConfig,
  token: string,
  plainReason: string | undefined,
): Promise<Endpoint | { refusal: string }> {
  const { memoryBytes, readers, graceMs, confinement = {} } = config
  const folder = resolve(config.folder)
  prepareFolder(folder, roleLimits(memoryBytes, readers).writer.running)
  const inputs = (confinement.inputs ?? []).map(path => resolve(path))
  for (const path of inputs) mkdirSync(path, { recursive: true, mode: 0o700 })
  const { firstCall = FIRST_LANDLOCK_CALL, system } = confinement
  const how =
    plainReason === undefined
      ? confinedLaunch(MAIN, folder, rulesOf(folder, inputs, system), firstCall)
      : plainLaunch(MAIN, folder, plainReason)
  const started = await startProcess({
    arguments: how.arguments,
    orders: { folder, token, memoryBytes, readers, graceMs } satisfies EngineStart,
    environment: { ...engineEnvironment(process.env), ...how.environment },
    log: logOf(folder),
    // A relative name in a query leads to the folder in which the engine was started.
    workingFolder: noFilesOf(folder),
    silenceMs: HUNG_START_MS,
  })
  if ('refusal' in started) return started
  const listening = readListening(started.line)
  if (listening === undefined) {
    await endEngine(started.pid, folder)
    return { refusal: 'did not say where it listens' }
  }
  const endpoint: Endpoint = { ...listening, pid: started.pid }
  await writeEndpoint(folder, endpoint)
  return endpoint
}

/** Whole or not at all: others may read it at any moment. */
async function writeEndpoint(folder: string, endpoint: Endpoint): Promise<void> {
  const draft = `${endpointOf(folder)}.${endpoint.pid}`
  await writeFile(draft, JSON.stringify(endpoint), { mode: 0o600 })
  await rename(draft, endpointOf(folder))
}
