import { closeSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { dataOf, noFilesOf, pipesOf } from './folder.ts'

/** What the kernel refuses the engine process: files other than its own, and TCP connections. */
export type Confinement = {
  readonly files: boolean
  readonly network: boolean
  /** Why it is not confined. */
  readonly reason?: string
}

/** A path and the rights, as a sum of bits, that the engine has on it and on all below it. */
export type Rule = readonly [path: string, rights: number]

/** What `confine.mjs` is told. */
export type Orders = {
  /** Everything that the program may open. */
  readonly rules: readonly Rule[]
  /** The environment variable in which the program finds its `Confinement`. */
  readonly variable: string
  /** Number of the first of the kernel's Landlock calls. */
  readonly firstCall: number
}

/** `landlock_create_ruleset` */
export const FIRST_LANDLOCK_CALL = 444

const VARIABLE = 'ASSAY_ENGINE_CONFINEMENT'

// Bits of linux/landlock.h.
const EXECUTE = 1 << 0
const WRITE_FILE = 1 << 1
const READ_FILE = 1 << 2
const READ_DIR = 1 << 3
const REMOVE_DIR = 1 << 4
const REMOVE_FILE = 1 << 5
const MAKE_DIR = 1 << 7
const MAKE_REG = 1 << 8
const MAKE_SYM = 1 << 12
const REFER = 1 << 13
const TRUNCATE = 1 << 14

const READ = READ_FILE | READ_DIR
const REWRITE = WRITE_FILE | TRUNCATE
const OWN = READ | REWRITE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER

/** Shared libraries, and what the engine reads of the system: nothing here is a secret. */
export const SYSTEM: readonly string[] = [
  ...['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib', '/lib64', '/nix/store', '/etc/ld.so.cache'],
  ...['/usr/share/zoneinfo', '/etc/localtime', '/etc/nsswitch.conf', '/etc/resolv.conf', '/etc/hosts'],
  ...['/sys/fs/cgroup', '/sys/devices/system', '/sys/kernel/mm/transparent_hugepage'],
  ...['/proc/meminfo', '/proc/cpuinfo', '/proc/stat', '/proc/filesystems', '/proc/sys/vm/overcommit_memory'],
  ...['/dev/zero', '/dev/urandom', '/dev/random'],
]

const source = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * What an engine at `folder` may open. `inputs` are folders from which it loads rows; `system` what it reads of the machine.
 * Not on the list, and so refused: its token, its endpoint, its log, everything else in the data folder, `/etc/passwd`, `/proc` of any
 * process, `/tmp`.
 */
export function rulesOf(
  folder: string,
  inputs: readonly string[],
  system: readonly string[] = SYSTEM,
): Rule[] {
  const program = process.execPath
  const loader = loaderOf(program)
  const packages = createRequire(import.meta.url).resolve.paths('chdb') ?? []
  const libraries = (process.env.LD_LIBRARY_PATH ?? '').split(':').filter(path => path.startsWith('/'))
  const readable = [join(source, 'src'), join(source, 'package.json'), ...packages, ...libraries, ...system]
  return [
    ...readable.map((path): Rule => [path, READ]),
    [program, READ_FILE | EXECUTE],
    ...(loader === undefined ? [] : [[loader, READ_FILE | EXECUTE] as const]),
    // Of the process itself, since the launcher keeps its number: the C library looks up the bounds of the stack there.
    ['/proc/self/maps', READ_FILE],
    ['/dev/null', READ_FILE | REWRITE],
    [dataOf(folder), OWN],
    [pipesOf(folder), READ | REWRITE],
    [noFilesOf(folder), READ],
    ...inputs.map((path): Rule => [path, READ]),
  ]
}

const ELF_64_LITTLE_ENDIAN = '7f454c460201'
const PT_INTERP = 3

/** The dynamic loader that a program of Linux names in its ELF header; the kernel runs it in the program's place. */
function loaderOf(program: string): string | undefined {
  const file = openSync(program, 'r')
  try {
    const read = (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, at)
      return bytes
    }
    const header = read(0, 64)
    if (header.toString('hex', 0, 6) !== ELF_64_LITTLE_ENDIAN) return undefined
    const start = Number(header.readBigUInt64LE(32))
    const size = header.readUInt16LE(54)
    for (let i = 0; i < header.readUInt16LE(56); i++) {
      const segment = read(start + i * size, size)
      if (segment.readUInt32LE(0) !== PT_INTERP) continue
      const path = read(Number(segment.readBigUInt64LE(8)), Number(segment.readBigUInt64LE(32)))
      return path.toString().replace(/\0.*$/s, '')
    }
    return undefined
  } finally {
    closeSync(file)
  }
}

const PLAIN = (reason: string): Confinement => ({ files: false, network: false, reason })

/** How the engine process is started: arguments of Node, the last ones the program and its folder, and what its environment says of it. */
export type Launch = { readonly arguments: readonly string[]; readonly environment: Record<string, string> }

/** Starts the engine of a folder as it is. */
export const plainLaunch = (program: string, folder: string, reason: string): Launch => ({
  arguments: [program, folder],
  environment: { [VARIABLE]: JSON.stringify(PLAIN(reason)) },
})

/** Starts the engine of a folder confined to `rules`, or as it is where the kernel cannot do that. */
export const confinedLaunch = (
  program: string,
  folder: string,
  rules: readonly Rule[],
  firstCall: number,
): Launch => ({
  arguments: [
    // `node:ffi` and `process.execve` are called experimental.
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./confine.mjs', import.meta.url)),
    JSON.stringify({ rules, variable: VARIABLE, firstCall } satisfies Orders),
    program,
    folder,
  ],
  environment: {},
})

/** How this process, an engine, was started. */
export function ownConfinement(): Confinement {
  const text = process.env[VARIABLE]
  return text === undefined ? PLAIN('It was started by hand.') : (JSON.parse(text) as Confinement)
}

/** For the log and for `assay status`. */
export function confinementSentence({ files, network, reason }: Confinement): string {
  if (!files) return `not confined. ${reason ?? ''}`.trimEnd()
  return network
    ? 'confined to its own files, no outgoing TCP connections'
    : 'confined to its own files. Outgoing connections are open: Linux 6.7 or later closes them'
}
