import { randomBytes } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Log } from '#kernel/log.ts'
import { ended } from '#processes/processes.ts'
import { startProcess } from '#processes/startProcess.ts'
import { WarehouseError } from '../errors.ts'
import {
  confinedLaunch,
  confinementSentence,
  FIRST_LANDLOCK_CALL,
  plainLaunch,
  rulesOf,
} from './confinement.ts'
import { endpointOf, logOf, noFilesOf, prepareFolder } from './folder.ts'
import { giveWithin, whileOpened } from './opened.ts'
import { otherOwner } from './osUser.ts'
import { startAsOwner } from './own.ts'
import { endEngine } from './processes.ts'
import { roleLimits, userQueries } from './roles.ts'
import { type Endpoint, type EngineStart, engineEnvironment, readListening } from './start.ts'
import { decideUser, type UserChoice, type UserDecision, userSentence } from './user.ts'

/** How the engine process is kept from the rest of the machine; everything has a default. */
export type ConfinementConfig = {
  /** Off starts the engine without Landlock. */
  readonly isOn?: boolean
  /** The OS user that it runs as; `auto` unless given. */
  readonly user?: UserChoice
  /** Folders, made where they are not there, from which the engine may load rows. */
  readonly inputs?: readonly string[]
  /** What the engine may read of the system; tests leave something out. */
  readonly system?: readonly string[]
  /** Number of the kernel's first Landlock call; another one stands for a kernel without Landlock. */
  readonly firstCall?: number
}

export type LaunchConfig = Omit<EngineStart, 'token'> & {
  readonly confinement?: ConfinementConfig
  /** CPU priority as a nice value from 0 to 19; 5 unless given. */
  readonly nice?: number
  readonly log: Log
}

export type Refusal = {
  /** Completes a sentence: "it …". */
  readonly refusal: string
  /** Another engine has the data open, or another process prepares its start. */
  readonly isHeld?: true
}

export type Launcher = {
  /**
   * Starts an engine process; what it says once it listens, or why it does not. Throws `warehouse.engine_start` where it cannot
   * run as the user of the configuration.
   */
  start(): Promise<Endpoint | Refusal>
  /**
   * For when starts have failed and nobody holds the data. True, once at most, if that was because of a layer that keeps the
   * engine from the rest of the machine: later starts do without it.
   */
  giveUpLayer(): Promise<boolean>
}

/** An engine that has said nothing for so long hangs. */
export const HUNG_START_MS = 180_000

/** A heavy query must not slow down the web server. */
const NICE = 5

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const CANNOT = 'This machine does not run it so.'

/** What keeps the engine from the rest of the machine. */
type Layers = {
  /** Why Landlock is not used. */
  readonly plainReason: string | undefined
  /** Why it runs as the user of this process; undefined decides that at the start. */
  readonly unseparated: string | undefined
}

export function createLauncher(config: LaunchConfig, token: string): Launcher {
  const { isOn = true, user = 'auto' } = config.confinement ?? {}
  let layers: Layers = {
    plainReason: !isOn
      ? 'It is switched off.'
      : process.platform !== 'linux'
        ? 'Only Linux can confine it.'
        : undefined,
    unseparated: undefined,
  }
  let mayGiveUp = true
  return {
    async start() {
      const started = await launch(config, token, layers)
      if ('port' in started) {
        // A start that has succeeded shows that a later one fails for another reason.
        mayGiveUp = false
        const { confinement } = started
        config.log.info('the warehouse engine has started', {
          pid: started.pid,
          confinement: confinement && confinementSentence(confinement),
          user: started.user && userSentence(started.user),
        })
      }
      return started
    },
    async giveUpLayer() {
      if (!mayGiveUp) return false
      mayGiveUp = false
      const fewer = await layersThatStart(config, layers, user)
      if (fewer === undefined) return false
      layers = fewer
      config.log.warn(
        'the warehouse engine does not start on this machine with all its layers of protection',
        {
          without: [
            ...(fewer.plainReason === CANNOT ? ['confinement'] : []),
            ...(fewer.unseparated === CANNOT ? ['another user'] : []),
          ].join(', '),
          log: logOf(config.folder),
        },
      )
      return true
    },
  }
}

/**
 * Fewer layers with which an engine without any data starts on this machine, where it does not with all of them. Nothing that a
 * query has done, or has made of the data, can change the answer: an engine that breaks at work is never started again with
 * fewer layers.
 */
async function layersThatStart(
  config: LaunchConfig,
  all: Layers,
  user: UserChoice,
): Promise<Layers | undefined> {
  const folder = await mkdtemp(join(resolve(config.folder), 'probe-'))
  let count = 0
  const starts = async (layers: Layers): Promise<boolean> => {
    const own = join(folder, String(count++))
    // Nobody else may ask it, for the moment that it lives.
    const token = randomBytes(24).toString('base64url')
    const started = await launch({ ...config, folder: own }, token, layers)
    if (!('port' in started)) return false
    await endEngine(started.pid, own)
    await ended(started.pid)
    return true
  }
  try {
    if (await starts(all)) return undefined
    const shared = user === 'auto' ? { ...all, unseparated: CANNOT } : undefined
    const plain = all.plainReason === undefined ? { ...all, plainReason: CANNOT } : undefined
    const neither = shared && plain && { ...shared, plainReason: CANNOT }
    for (const layers of [shared, plain, neither])
      if (layers !== undefined && (await starts(layers))) return layers
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function launch(
  config: LaunchConfig,
  token: string,
  { plainReason, unseparated }: Layers,
): Promise<Endpoint | Refusal> {
  const { memoryBytes, readers, confinement = {} } = config
  const folder = resolve(config.folder)
  const inputs = (confinement.inputs ?? []).map(path => resolve(path))
  const limits = roleLimits(memoryBytes, readers)
  prepareFolder(folder, limits.writer.running, inputs, userQueries(limits))
  const decided = unseparated === undefined ? decide(folder, confinement.user) : { reason: unseparated }
  const user = 'user' in decided ? decided.user : undefined
  const start = () => launchAs(decided, config, { folder, inputs, token, plainReason })
  const started = await startAsOwner(folder, { inputs, user }, start)
  return started === 'held' ? { refusal: 'found its data held by another process', isHeld: true } : started
}

type Prepared = {
  readonly folder: string
  readonly inputs: readonly string[]
  readonly token: string
  readonly plainReason: string | undefined
}

async function launchAs(
  decided: UserDecision,
  { memoryBytes, readers, graceMs, mostBusyMs, nice, confinement = {} }: LaunchConfig,
  { folder, inputs, token, plainReason }: Prepared,
): Promise<Endpoint | Refusal> {
  const { firstCall = FIRST_LANDLOCK_CALL, system } = confinement
  const how =
    plainReason === undefined
      ? confinedLaunch(MAIN, folder, rulesOf(folder, inputs, system), firstCall)
      : plainLaunch(MAIN, folder, plainReason)
  const started = await startProcess({
    arguments: how.arguments,
    orders: {
      ...{ folder, token, memoryBytes, readers, graceMs },
      ...(mostBusyMs !== undefined && { mostBusyMs }),
    } satisfies EngineStart,
    environment: { ...engineEnvironment(process.env), ...how.environment },
    log: logOf(folder),
    // A relative name in a query leads to the folder in which the engine was started.
    workingFolder: noFilesOf(folder),
    nice: nice ?? NICE,
    silenceMs: HUNG_START_MS,
    ...('user' in decided && { user: decided.user }),
  })
  if ('refusal' in started) return started
  const listening = readListening(started.line)
  if (listening === undefined) {
    await endEngine(started.pid, folder)
    return { refusal: 'did not say where it listens' }
  }
  const endpoint: Endpoint = { ...listening, pid: started.pid, user: decided }
  writeEndpoint(folder, endpoint)
  return endpoint
}

/** Throws where the configuration names a user that the engine cannot run as. */
function decide(folder: string, choice: UserChoice = 'auto'): UserDecision {
  const decided = decideUser(choice, {
    folder,
    readable: [process.execPath, MAIN, createRequire(import.meta.url).resolve('chdb')],
  })
  if ('reason' in decided && typeof choice === 'object')
    throw new WarehouseError(
      'warehouse.engine_start',
      `The warehouse engine cannot run as the user of WAREHOUSE_USER. ${decided.reason}`,
      { hint: 'Change what stands in the way, or leave WAREHOUSE_USER out.' },
    )
  return decided
}

/** Whole or not at all: others may read it at any moment. */
function writeEndpoint(folder: string, endpoint: Endpoint): void {
  const owner = otherOwner(folder)
  whileOpened(folder, opened => {
    const name = basename(endpointOf(folder))
    const draft = `${name}.${endpoint.pid}`
    rmSync(`${opened.path}/${draft}`, { force: true })
    // Follows no link that somebody puts there meanwhile.
    writeFileSync(`${opened.path}/${draft}`, JSON.stringify(endpoint), { mode: 0o600, flag: 'wx' })
    if (owner !== undefined) giveWithin(opened, draft, owner)
    renameSync(`${opened.path}/${draft}`, `${opened.path}/${name}`)
  })
}
