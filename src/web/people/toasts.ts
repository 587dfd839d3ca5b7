/** What is said beside the page for a while: a sentence, what to do, and what helpers may ask for. */
export type Toast = {
  readonly id: number
  readonly title: string
  readonly text: string
  /** The raw name of what happened, folded away. */
  readonly raw?: string | undefined
  readonly isError: boolean
}

type Listener = () => void

const listeners = new Set<Listener>()
let toasts: readonly Toast[] = []
let count = 0

const set = (next: readonly Toast[]): void => {
  toasts = next
  for (const listener of listeners) listener()
}

/** Says something on whatever page is open. */
export function say({
  isError = false,
  ...toast
}: Omit<Toast, 'id' | 'isError'> & { isError?: boolean }): void {
  count += 1
  // The same once more is said once.
  set([...toasts.filter(({ title }) => title !== toast.title), { ...toast, isError, id: count }])
}

export const dismiss = (id: number): void => set(toasts.filter(toast => toast.id !== id))

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe(listener: Listener): Listener {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): readonly Toast[] => toasts,
}
