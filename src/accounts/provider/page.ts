import { createHash } from 'node:crypto'
import { IDP_PATH } from './place.ts'

export type Theme = 'light' | 'dark'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, char => ESCAPES[char] ?? '')

/** HTML that is safe to stand in a page: made by `html` alone. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Every value is escaped, unless it is HTML made here. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html =>
  new Html(
    parts
      .map((part, i) => {
        const value = values[i]
        if (value === undefined) return part
        if (typeof value === 'string') return part + escapeHtml(value)
        return part + (value instanceof Html ? value.text : value.map(({ text }) => text).join(''))
      })
      .join(''),
  )

/** The colours of `tokens.css`: these pages stand apart from the site's files, and a test holds both to each other. */
export const COLOURS: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  light: {
    paper: '#fbfaf7',
    card: '#ffffff',
    line: '#e8e4db',
    'line-strong': '#cfc8ba',
    ink: '#1b1a17',
    'ink-2': '#655f54',
    accent: '#c2560a',
    'accent-hover': '#a84908',
    'on-accent': '#ffffff',
    down: '#c0362c',
    up: '#0b7a4b',
  },
  dark: {
    paper: '#11110f',
    card: '#191816',
    line: '#2c2a26',
    'line-strong': '#4a463e',
    ink: '#f3f0e9',
    'ink-2': '#a8a295',
    accent: '#ff9f2e',
    'accent-hover': '#ffb45c',
    'on-accent': '#1b1206',
    down: '#ff7a70',
    up: '#3dd68c',
  },
}

const colours = (theme: Theme): string =>
  Object.entries(COLOURS[theme])
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** Where the letters of these pages come from: the file that the site has, at an address that no build changes. */
export const LETTERS_PATH = `${IDP_PATH}/inter.woff2`

const STYLE = `@font-face{font-family:Inter;font-style:normal;font-display:swap;font-weight:100 900;src:url(${LETTERS_PATH}) format("woff2")}
@font-face{font-family:"Inter fallback";src:local("Arial"),local("Liberation Sans"),local("Helvetica");size-adjust:107.12%;ascent-override:90.44%;descent-override:22.52%;line-gap-override:0%}
:root{color-scheme:light;${colours('light')}}
:root[data-theme=dark]{color-scheme:dark;${colours('dark')}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-rows:71px 1fr;background:var(--paper);color:var(--ink);font:400 1rem/1.5 Inter,"Inter fallback",system-ui,sans-serif}
header{display:flex;align-items:center;padding:0 24px;border-bottom:1px solid var(--line);background:var(--card)}
header a{color:var(--ink);font-weight:650;font-size:1.25rem;letter-spacing:-.01em;text-decoration:none}
main{width:100%;max-width:424px;margin:0 auto;padding:48px 16px 64px}
h1{margin:0 0 8px;font-size:1.75rem;line-height:1.2;letter-spacing:-.02em}
p{margin:0 0 16px;color:var(--ink-2)}
section{margin-top:24px;padding:24px;border:1px solid var(--line);border-radius:12px;background:var(--card)}
label{display:block;margin-bottom:16px;font-size:.875rem;font-weight:550}
small{display:block;margin-top:4px;color:var(--ink-2);font-weight:400;font-size:.8125rem}
input{display:block;width:100%;height:44px;margin-top:4px;padding:0 12px;border:1px solid var(--line-strong);border-radius:8px;background:var(--paper);color:var(--ink);font:400 1rem/1.5 Inter,"Inter fallback",system-ui,sans-serif}
button{width:100%;min-height:44px;padding:0 16px;border:0;border-radius:8px;background:var(--accent);color:var(--on-accent);font:600 1rem/1 Inter,"Inter fallback",system-ui,sans-serif;cursor:pointer}
button:hover{background:var(--accent-hover)}
a{color:var(--accent)}
b{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
.after{margin-top:24px;font-size:.875rem}
nav{display:flex;flex-wrap:wrap;gap:8px 24px;margin-top:24px;font-size:.875rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.wrong{color:var(--down)}.right{color:var(--up)}
.wrong,.right{margin-bottom:16px;font-weight:550}`

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

/** Nothing but its own style and letters, and forms to this origin; never in a frame. */
export const PAGE_POLICY = `default-src 'none'; style-src ${STYLE_HASH}; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** A whole page. `home` leads back to the site. */
export const drawPage = (title: string, theme: Theme, body: Html): string =>
  `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Assay</title><style>${STYLE}</style></head><body><header><a href="/">Assay</a></header><main><h1>${escapeHtml(title)}</h1>${body.text}</main></body></html>`
