import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { CrosshairContext, createCrosshair } from '#web/blocks/chart/crosshair.ts'
import type { BookPage, BookState } from './bookPage.ts'
import { BOOK } from './index.ts'

/** React shows what came late up to 300 ms later and tells nobody that it still keeps something back. */
const QUIET_MS = 400

/**
 * Waits until an element has not changed for a while, the browser is idle and fonts are loaded. On a busy machine the time
 * alone may pass while React still has work; the browser is idle only after that.
 */
async function settled(root: HTMLElement): Promise<void> {
  await document.fonts.ready
  let hasChanged = false
  const watch = new MutationObserver(() => {
    hasChanged = true
  })
  watch.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
  do {
    hasChanged = false
    await new Promise(done => setTimeout(done, QUIET_MS))
    await new Promise(done => requestIdleCallback(done))
  } while (hasChanged)
  watch.disconnect()
}

const Nothing = () => null

/** What is done on the page before it is drawn; each returns true once it has been. */
const steps: (() => boolean)[] = []

/** A state at its own address, so that what can be chosen in a block can be chosen here. */
function Stage({ state }: { state: BookState }) {
  const stage = useRef<HTMLDivElement>(null)
  const [crosshair] = useState(createCrosshair)
  const router = useMemo(() => {
    const { draw: Draw, thrown, at = '/' } = state
    const drawn = () => (
      <CrosshairContext value={crosshair}>
        <Draw />
      </CrosshairContext>
    )
    const route: RouteObject =
      thrown === undefined
        ? { path: '*', Component: drawn }
        : {
            path: '*',
            HydrateFallback: Nothing,
            ErrorBoundary: drawn,
            loader: () => {
              throw thrown
            },
          }
    return createMemoryRouter([route], { initialEntries: [at.startsWith('?') ? `/${at}` : at] })
  }, [state, crosshair])
  useLayoutEffect(() => {
    const [{ current }, { step }] = [stage, state]
    if (current && step) steps.push(() => step(current))
  }, [state])
  return (
    <div ref={stage} className="stage" data-state={state.name} style={{ minBlockSize: state.room }}>
      <RouterProvider router={router} />
    </div>
  )
}

function PageOfBook({ page }: { page: BookPage }) {
  if (page.isWindow) return page.states.map(state => <Stage key={state.name} state={state} />)
  return (
    <main className="book">
      <h1>{page.title}</h1>
      <p className="origin">
        Made figures, nothing here was measured. <code>{page.component}</code> · <a href="?">All blocks</a>
      </p>
      <div className={page.isPaired ? 'states paired' : 'states'}>
        {page.states.map(state => (
          <section key={state.name} className="state">
            <p className="name">{state.name}</p>
            <Stage state={state} />
          </section>
        ))}
      </div>
    </main>
  )
}

function Contents() {
  return (
    <main className="book">
      <h1>Building blocks</h1>
      <p className="origin">Each in every state, drawn by the real components with made figures.</p>
      <ul className="contents">
        {BOOK.map(({ name, title, states, isWindow }) => (
          <li key={name}>
            <a href={`?page=${name}`} data-page={name} data-window={isWindow}>
              {title}
            </a>
            : {states.map(state => state.name).join('; ')}
          </li>
        ))}
      </ul>
    </main>
  )
}

const query = new URLSearchParams(location.search)
const page = BOOK.find(({ name }) => name === query.get('page'))
document.documentElement.dataset.theme = query.get('theme') === 'dark' ? 'dark' : 'light'
document.title = page?.title ?? 'Building blocks'
const book = document.getElementById('book')
if (book) {
  const root = createRoot(book)
  flushSync(() => root.render(page ? <PageOfBook page={page} /> : <Contents />))
  do await settled(book)
  while (!steps.map(step => step()).every(isDone => isDone))
  document.documentElement.dataset.drawn = ''
}
