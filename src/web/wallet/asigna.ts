import type { Provider } from './providers.ts'
import { WalletError } from './walletError.ts'

/** Mark of messages between Asigna and a page inside of it. Source: `@stacks/connect` `providers/asigna`. */
const SOURCE = 'asigna-stx'
const ACCOUNT_LIMIT_MS = 15_000
/** Several people may have to sign. */
const SIGNING_LIMIT_MS = 15 * 60_000

/**
 * Origin of the page around ours where it is one of the configured ones, else undefined. Any page may frame another, so that
 * a frame alone is no wallet.
 */
export function asignaOrigin(origins: readonly string[]): string | undefined {
  if (window.top === window.self) return undefined
  // Firefox has no ancestorOrigins.
  const parent = window.location.ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin
  return parent !== undefined && origins.includes(parent) ? parent : undefined
}

/** Asigna is the page around ours and speaks by messages; they carry no id, so that one is asked after the other. */
export function asignaProvider(origin: string): Provider {
  let before: Promise<unknown> = Promise.resolve()
  return {
    request(method, params) {
      const asked = before.then(() => askParent(origin, method, params))
      before = asked.catch(() => undefined)
      return asked
    },
  }
}

function askParent(origin: string, method: string, params: object | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const limitMs = /addresses$/i.test(method) ? ACCOUNT_LIMIT_MS : SIGNING_LIMIT_MS
    const end = () => {
      window.removeEventListener('message', hear)
      clearTimeout(timer)
    }
    const timer = setTimeout(() => {
      end()
      reject(
        new WalletError('silent', 'Asigna did not answer.', {
          hint: 'Is its window still open? Try again.',
          facts: { method, limitMs },
        }),
      )
    }, limitMs)
    function hear({ origin: from, source, data }: MessageEvent): void {
      if (from !== origin || source !== window.parent || data?.source !== SOURCE) return
      const answer = data[method]
      if (answer === undefined || answer === null) return
      end()
      resolve(answer)
    }
    window.addEventListener('message', hear)
    window.parent.postMessage({ source: SOURCE, [method]: params ?? {} }, origin)
  })
}
