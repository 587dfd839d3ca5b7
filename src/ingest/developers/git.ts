import { spawn } from 'node:child_process'
import process from 'node:process'
import { IngestError } from '../errors.ts'

/**
 * What a repository's owner may not choose for us: no hook, no command of a configuration, no password prompt, no protocol
 * but the one that the catalogue names, no name of a file system monitor.
 */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=true',
  'credential.helper=',
  'protocol.version=2',
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.recurseSubmodules=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=120',
  'i18n.logOutputEncoding=UTF-8',
].flatMap(setting => ['-c', setting])

export type Git = {
  /** The bare repository; made by `init`. */
  readonly dir: string
  /** Protocols that may be spoken. */
  readonly protocols: readonly string[]
  readonly signal?: AbortSignal | undefined
}

const MOST_WORDS = 300

function start({ dir, protocols, signal }: Git, args: readonly string[]) {
  const { PATH, HOME, HTTPS_PROXY, https_proxy, GIT_SSL_CAINFO, SSL_CERT_FILE } = process.env
  const child = spawn('git', [...SAFE, '-C', dir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
    env: {
      ...Object.fromEntries(
        Object.entries({ PATH, HOME, HTTPS_PROXY, https_proxy, GIT_SSL_CAINFO, SSL_CERT_FILE }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
      GIT_DIR: dir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: protocols.join(':'),
      LC_ALL: 'C',
    },
  })
  let words = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    words = (words + text).slice(-4 * MOST_WORDS)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', cause =>
      reject(
        'code' in cause && cause.code === 'ENOENT'
          ? new IngestError('ingest.git', 'There is no git on this machine.', {
              hint: 'Install git 2.30 or newer, or leave DEVELOPERS off.',
            })
          : cause,
      ),
    )
    child.on('close', code => (code === 0 ? resolve() : reject(gitFault(args[0] ?? '', words))))
  })
  return { stdout: child.stdout, ended }
}

/** Git’s own last words, without control characters: they may hold what a stranger wrote. */
function gitFault(command: string, words: string): IngestError {
  const last = words
    .split('\n')
    .map(line => line.replace(/[^\x20-\x7e]/g, '').trim())
    .filter(line => line !== '' && !line.startsWith('hint:'))
    .at(-1)
  return new IngestError('ingest.git', `git ${command} failed: ${(last ?? 'no output').slice(0, MOST_WORDS)}`)
}

/** Runs git and gives what it printed, trimmed. Throws `ingest.git` with its last words. */
export async function git(given: Git, ...args: string[]): Promise<string> {
  const { stdout, ended } = start(given, args)
  ended.catch(() => {})
  const parts: Buffer[] = []
  for await (const part of stdout) parts.push(part as Buffer)
  await ended
  return Buffer.concat(parts).toString('utf8').trim()
}

/** The fields between NUL bytes that git prints, as they come. Throws `ingest.git`, also after the last field. */
export async function* gitFields(given: Git, ...args: string[]): AsyncGenerator<string> {
  const { stdout, ended } = start(given, args)
  ended.catch(() => {})
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of stdout) {
    let bytes = rest.length === 0 ? (part as Buffer) : Buffer.concat([rest, part as Buffer])
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0)) {
      yield bytes.toString('utf8', 0, end)
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
  }
  await ended
  if (rest.length > 0) throw new IngestError('ingest.git', 'git stopped in the middle of a commit.')
}
