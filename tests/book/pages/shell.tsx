import { data } from 'react-router'
import { FatalError } from '#web/shell/FatalError.tsx'
import { Footer } from '#web/shell/Footer.tsx'
import { EntitiesContext, type SiteLayer } from '#web/shell/layers.ts'
import { PageError } from '#web/shell/PageError.tsx'
import { Sidebar } from '#web/shell/Sidebar.tsx'
import { TopBar } from '#web/shell/TopBar.tsx'
import type { BookPage } from '../bookPage.ts'
import { LONG_NAME, UNBROKEN } from '../made.ts'

const layer = (id: string, name: string): SiteLayer => ({
  id,
  name,
  coin: 'BTC',
  token: null,
  variable: id.toUpperCase(),
  hasL1Fee: false,
  hasProfile: true,
})

const NAMED = {
  layers: [layer('rootstock', 'Rootstock'), layer('made-layer', LONG_NAME)],
  applications: [{ slug: 'made-exchange', name: UNBROKEN, kind: 'exchange', markets: [] }],
} as const

const failure = (status: number, detail: string) =>
  data(
    {
      title: `There is no layer “${UNBROKEN}”`,
      detail,
      hint: 'The nearest names stand below.',
      code: 'page.none',
      nearest: [
        { path: '/bitcoin/l2s/made', label: 'Made' },
        { path: `/bitcoin/l2s/${UNBROKEN}`, label: LONG_NAME },
      ],
    },
    { status },
  )

export const SHELL_PAGES: readonly BookPage[] = [
  {
    name: 'bars',
    title: 'Bars of the shell',
    component: 'src/web/shell/TopBar.tsx',
    states: [
      {
        name: 'top bar',
        draw: () => <TopBar newsletterUrl="https://made.example/letter" signUpUrl="/pricing" />,
      },
      {
        name: 'footer',
        draw: () => (
          <Footer newsletterUrl="https://made.example/letter" socialUrl="https://made.example/us" />
        ),
      },
    ],
  },
  {
    name: 'sidebar',
    title: 'Sidebar',
    component: 'src/web/shell/Sidebar.tsx',
    isWindow: true,
    states: [
      {
        name: 'a page of Stacks, a layer and an application with long names; on a phone the menu, open',
        at: '/stacks/defi',
        step: stage => {
          const menu = stage.querySelector<HTMLElement>('#menu-sheet')
          if (!menu) return false
          if (menu.checkVisibility() || !matchMedia('(max-width: 767px)').matches) return true
          menu.showPopover()
          return false
        },
        draw: () => (
          <EntitiesContext value={NAMED}>
            <TopBar newsletterUrl={undefined} signUpUrl="/pricing" />
            <div style={{ display: 'flex' }}>
              <Sidebar newsletterUrl={undefined} />
            </div>
          </EntitiesContext>
        ),
      },
    ],
  },
  {
    name: 'errors',
    title: 'In place of a page that cannot be drawn',
    component: 'src/web/shell/PageError.tsx',
    states: [
      {
        name: 'not found, with the nearest',
        thrown: failure(404, `Nothing is known at /bitcoin/l2s/${UNBROKEN}.`),
        draw: () => <PageError />,
      },
      { name: 'failed', thrown: new Error('made'), draw: () => <PageError /> },
      { name: 'the shell itself failed', thrown: new Error('made'), draw: () => <FatalError /> },
    ],
  },
]
