import { closeSync, fstatSync, openSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

// Confines itself with Landlock and becomes the engine: `confine.mjs <orders> <program> <folder>` (`Orders` in
// confinement.ts, as JSON). Landlock
// holds for the calling thread and those started later, so the engine has to be a program of its own behind this one. Where
// the kernel cannot do it, the engine runs here as it is. This is plain JavaScript because loading TypeScript takes longer
// than everything else here.

// linux/landlock.h. These three calls have the same numbers on every architecture, one after the other.
const VERSION_FLAG = 1n
const PATH_BENEATH = 1n
const NET_PORT = 2n
const BIND_TCP = 1n
const CONNECT_TCP = 2n
/** Connections to abstract Unix sockets, and signals, outside the confined process. */
const SCOPES = 3n
/** Files can be moved between folders. */
const MIN_ABI = 2
const NETWORK_ABI = 4
const SCOPES_ABI = 6
/** Rights on files that an ABI knows, as a count of bits. */
const FILE_RIGHTS = { 2: 14, 3: 15, 4: 15 }
const DEFAULT_FILE_RIGHTS = 16
/** Rights that a rule for a file may hold: execute, write, read, truncate. */
const OF_A_FILE = 0b100_0000_0000_0111n
// sys/prctl.h
const SET_NO_NEW_PRIVILEGES = 38n

const [, , text, program, folder] = process.argv
const orders = JSON.parse(text)
const confinement = await confine(orders).catch(cause => ({
  files: false,
  network: false,
  reason: cause instanceof Error ? cause.message : String(cause),
}))
const state = { [orders.variable]: JSON.stringify(confinement) }
if (confinement.files)
  process.execve(process.execPath, [process.execPath, program, folder], {
    ...process.env,
    ...state,
    // Node reads the system's configuration of OpenSSL at its start, and the engine needs none.
    OPENSSL_CONF: '/dev/null',
  })
Object.assign(process.env, state)
await import(pathToFileURL(program).href)

async function confine({ rules, firstCall }) {
  const { dlopen, getRawPointer } = await import('node:ffi')
  const five = ['int64', 'int64', 'int64', 'int64', 'int64']
  const { functions } = dlopen(null, {
    syscall: { arguments: five, return: 'int64' },
    prctl: { arguments: five, return: 'int64' },
  })
  const first = BigInt(firstCall)
  const createRuleset = (pointer, size, flags) => functions.syscall(first, pointer, size, flags, 0n)
  const addRule = (ruleset, type, rule) =>
    functions.syscall(first + 1n, ruleset, type, getRawPointer(rule), 0n)
  const restrictSelf = ruleset => functions.syscall(first + 2n, ruleset, 0n, 0n, 0n)
  const demand = (result, what) => {
    if (result < 0n) throw new Error(`The kernel refused to ${what}.`)
    return result
  }

  const abi = Number(createRuleset(0n, 0n, VERSION_FLAG))
  if (abi < 0) throw new Error('The kernel has no Landlock, or a container forbids it.')
  if (abi < MIN_ABI) throw new Error('The kernel is too old: Linux 5.19 or later is needed.')
  const hasNetwork = abi >= NETWORK_ABI
  const handled = (1n << BigInt(FILE_RIGHTS[abi] ?? DEFAULT_FILE_RIGHTS)) - 1n
  const attributes = Buffer.alloc(abi >= SCOPES_ABI ? 24 : hasNetwork ? 16 : 8)
  attributes.writeBigUInt64LE(handled, 0)
  if (hasNetwork) attributes.writeBigUInt64LE(BIND_TCP | CONNECT_TCP, 8)
  if (abi >= SCOPES_ABI) attributes.writeBigUInt64LE(SCOPES, 16)
  const ruleset = demand(
    createRuleset(getRawPointer(attributes), BigInt(attributes.length), 0n),
    'make a set of rules',
  )
  for (const [path, rights] of rules) {
    const file = openIfThere(path)
    if (file === undefined) continue
    const mask = fstatSync(file).isDirectory() ? handled : handled & OF_A_FILE
    const rule = Buffer.alloc(12)
    rule.writeBigUInt64LE(BigInt(rights) & mask, 0)
    rule.writeInt32LE(file, 8)
    demand(addRule(ruleset, PATH_BENEATH, rule), `allow ${path}`)
    closeSync(file)
  }
  if (hasNetwork) {
    // Port 0 stands for one that the system chooses: where the engine listens.
    const rule = Buffer.alloc(16)
    rule.writeBigUInt64LE(BIND_TCP, 0)
    demand(addRule(ruleset, NET_PORT, rule), 'allow a listener')
  }
  demand(functions.prctl(SET_NO_NEW_PRIVILEGES, 1n, 0n, 0n, 0n), 'give up privileges')
  demand(restrictSelf(ruleset), 'confine the process')
  return { files: true, network: hasNetwork }
}

/** Paths that are not there, or that this user may not read, need no rule. */
function openIfThere(path) {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
