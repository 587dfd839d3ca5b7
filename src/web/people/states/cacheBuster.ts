import { type Machine, step } from './machine.ts'

export type CacheName = 'fresh' | 'reloading' | 'told'
export type CacheOn = 'newer version' | 'same version' | 'chunk failed' | 'chunk failed again'

export const CACHE: Machine<CacheName, CacheOn> = {
  title: 'Cache buster',
  initial: 'fresh',
  states: ['fresh', 'reloading', 'told'],
  steps: [
    { from: 'fresh', on: 'same version', to: 'fresh' },
    { from: 'fresh', on: 'newer version', to: 'reloading', does: 'caches cleared, once a version' },
    { from: 'fresh', on: 'chunk failed', to: 'reloading', does: 'caches cleared' },
    { from: 'fresh', on: 'chunk failed again', to: 'told', does: 'said in words' },
  ],
}

/** A failure within this time after a reload for one is the same again, ms. */
export const SAME_FAILURE_MS = 600_000

/** What a tab keeps of its reloads while it lives: for which version, and when for a chunk. */
export type Reloads = { readonly version?: string; readonly chunkAt?: number }

export type CacheEvent =
  | { readonly type: 'version'; readonly own: string; readonly found: string }
  | { readonly type: 'chunk'; readonly now: number }

export type CacheStep = { readonly name: CacheName; readonly reloads: Reloads }

/** Whether to reload, to say that it did not help, or to go on; and what the tab keeps of it. */
export function cacheAfter(reloads: Reloads, event: CacheEvent): CacheStep {
  if (event.type === 'version') {
    const isNewer = isNewerVersion(event.found, event.own) && reloads.version !== event.found
    return {
      name: step(CACHE, CACHE.initial, isNewer ? 'newer version' : 'same version'),
      reloads: isNewer ? { ...reloads, version: event.found } : reloads,
    }
  }
  const isAgain = reloads.chunkAt !== undefined && event.now - reloads.chunkAt < SAME_FAILURE_MS
  return {
    name: step(CACHE, CACHE.initial, isAgain ? 'chunk failed again' : 'chunk failed'),
    reloads: isAgain ? reloads : { ...reloads, chunkAt: event.now },
  }
}

const SEMVER =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i

/** By the precedence of Semantic Versioning 2.0.0, §11; what is no version is newer than none. */
export function isNewerVersion(found: string, own: string): boolean {
  const a = SEMVER.exec(found)
  const b = SEMVER.exec(own)
  if (!a || !b) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(a[part]) - Number(b[part])
    if (difference !== 0) return difference > 0
  }
  return comparePrerelease(a[4], b[4]) > 0
}

function comparePrerelease(a: string | undefined, b: string | undefined): number {
  // A release goes before what led to it.
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  const [ours, theirs] = [a.split('.'), b.split('.')]
  for (const [place, left] of ours.entries()) {
    const right = theirs[place]
    if (right === undefined) return 1
    if (left === right) continue
    const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
    if (isLeftNumber && isRightNumber) return Number(left) - Number(right)
    // Numbers come before words.
    if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1
    return left < right ? -1 : 1
  }
  return ours.length - theirs.length
}
