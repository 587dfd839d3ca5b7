/** As much of a browser's page as wallets and the code that asks them use. */
export class MadePage extends EventTarget {
  readonly document = Object.assign(new EventTarget(), { referrer: '', visibilityState: 'visible' })
  readonly location: { origin: string; host: string; ancestorOrigins: readonly string[] }
  top: unknown = this
  self: unknown = this
  parent: unknown = this

  constructor(origin = 'https://assay.test', around: readonly string[] = []) {
    super()
    this.location = { origin, host: new URL(origin).host, ancestorOrigins: around }
  }

  /** Comes in a later turn, as messages do. */
  postMessage(data: unknown, _to: string, from: { source?: unknown; origin?: string } = {}): void {
    queueMicrotask(() =>
      this.dispatchEvent(
        Object.assign(new Event('message'), {
          data,
          source: from.source ?? this,
          origin: from.origin ?? this.location.origin,
        }),
      ),
    )
  }
}

/** Local storage of one page. */
export function madeStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: key => void kept.delete(key),
  }
}

/** Puts a page where the code of the browser looks for it; taken away again when disposed of. */
export function enterPage(page: MadePage): Disposable {
  const names = ['window', 'document', 'localStorage'] as const
  const before = names.map(name => Object.getOwnPropertyDescriptor(globalThis, name))
  for (const [name, value] of Object.entries({
    window: page,
    document: page.document,
    localStorage: madeStorage(),
  }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return {
    [Symbol.dispose]() {
      for (const [i, name] of names.entries()) {
        const own = before[i]
        if (own === undefined) Reflect.deleteProperty(globalThis, name)
        else Object.defineProperty(globalThis, name, own)
      }
    },
  }
}
