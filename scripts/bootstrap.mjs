// Runs on any Node from 20.19: brings the project into a state that Node 26 can run, then hands over to it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const inRoot = (...parts) => join(root, ...parts)
const [command = 'start', ...rest] = process.argv.slice(2)

/** What each command runs on Node 26, and whether the pages must be built before. */
const commands = {
  start: { run: ['src/assay.ts', 'start'], needsPages: true },
  assay: { run: ['src/assay.ts'], needsPages: ['start', 'serve'].includes(rest[0]) },
  // Which tests a change reaches tells whether it needs the pages.
  test: { run: ['scripts/test.ts'], needsPages: !rest.includes('--changed') },
  drill: { run: ['scripts/test.ts', '--drill'], needsPages: true },
  bench: { run: ['scripts/bench.ts'], needsPages: true },
  snapshot: { run: ['scripts/snapshot.ts'], needsPages: false },
  pictures: { run: ['scripts/pictures.ts'], needsPages: true },
  mutate: { run: ['scripts/mutate.ts'], needsPages: false },
  build: { run: undefined, needsPages: true },
}

function fail(sentence) {
  process.stderr.write(`assay: ${sentence}\n`)
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`this is Node ${process.versions.node}; Assay needs Node 20.19 or newer to start.`)
}
const chosen = commands[command]
if (!chosen) fail(`there is no command "${command}". Commands: ${Object.keys(commands).join(', ')}.`)

/** One hash over files and folders, so that nothing is installed or built twice. */
function hashOf(paths) {
  const hash = createHash('sha256')
  const add = path => {
    const full = inRoot(path)
    if (!existsSync(full)) return
    let entries
    try {
      entries = readdirSync(full, { withFileTypes: true })
    } catch {
      hash.update(path).update(readFileSync(full))
      return
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) add(join(path, entry.name))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

const stampIs = (file, value) => existsSync(file) && readFileSync(file, 'utf8') === value

function install() {
  const stamp = inRoot('node_modules', '.assay-install')
  const wanted = hashOf(['package.json', 'package-lock.json'])
  if (stampIs(stamp, wanted)) return
  process.stderr.write('Installing dependencies (once, about a minute and 1.2 GB) …\n')
  // Not `npm ci`: it refuses a lockfile that lacks the optional binaries of other platforms, which a mirror may not carry.
  // `install` takes every locked version as it stands, and `--no-save` leaves both files alone.
  const done = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) fail('`npm install` failed; its own message stands above.')
  writeFileSync(stamp, wanted)
}

/** The npm package `node` lays its binary here by an install script, which package.json approves (`allowScripts`). */
function node26() {
  const binary = inRoot('node_modules', 'node', 'bin', 'node')
  if (!existsSync(binary)) {
    fail(
      'the Node 26 binary of the npm package "node" is absent: its install script did not run. Allow it (npm config "ignore-scripts" must be false) and run `npm rebuild node`.',
    )
  }
  return binary
}

function build(node) {
  const stamp = inRoot('build', '.stamp')
  const wanted = hashOf([
    'src/web',
    'src/http',
    'src/kernel',
    'vite.config.ts',
    'react-router.config.ts',
    'package-lock.json',
  ])
  if (stampIs(stamp, wanted)) return
  process.stderr.write('Building the pages …\n')
  const cli = inRoot('node_modules', '@react-router', 'dev', 'bin.cjs')
  const done = spawnSync(node, [cli, 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (done.status !== 0) fail(`the pages could not be built.\n${done.stdout}\n${done.stderr}`)
  mkdirSync(inRoot('build'), { recursive: true })
  writeFileSync(stamp, wanted)
}

install()
const node = node26()
if (chosen.needsPages) build(node)
if (chosen.run) {
  const child = spawn(node, [...chosen.run.map((part, i) => (i === 0 ? inRoot(part) : part)), ...rest], {
    stdio: 'inherit',
    // Reading TypeScript anew takes 1.6 s of a command's 3.7: what was read once is kept.
    env: { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'compiled'), ...process.env },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 : (code ?? 1)))
}
