import type { ServerResponse } from 'node:http'
import { json, type Publisher } from './testing.ts'

/** Days up to yesterday of the first noon. */
export const DAYS = [
  { date: '2026-03-07', tvl: 100e6 },
  { date: '2026-03-08', tvl: 110e6 },
  { date: '2026-03-09', tvl: 120e6 },
]
export const good = json({ days: DAYS, close: 70_000 })

export const body =
  (text: string, status = 200, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, headers).end(text)

/** What a publisher may do wrong, and what it comes to: outcome, code, and the field where one is at fault. */
export const FAULTS: readonly (readonly [
  name: string,
  answer: Publisher['answer'],
  outcome: 'refused' | 'failed',
  code: string,
  field?: string,
])[] = [
  ['slow', () => {}, 'failed', 'sources.timeout'],
  [
    'slow in the middle',
    (_, response) => void response.writeHead(200).write('{"days":['),
    'failed',
    'sources.timeout',
  ],
  [
    'cut off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"days":[', () => response.destroy())
    },
    'failed',
    'sources.cut_off',
  ],
  [
    'cut off, in chunks',
    (_, response) => {
      response.writeHead(200).write(JSON.stringify({ days: DAYS }), () => response.destroy())
    },
    'failed',
    'sources.cut_off',
  ],
  ['429 without Retry-After', body('slow down', 429), 'failed', 'sources.limited'],
  ['500', body('oops', 500), 'failed', 'sources.status'],
  ['404', body('{"days":[]}', 404), 'failed', 'sources.status'],
  ['HTML for JSON', body('<!doctype html><title>Just a moment</title>'), 'refused', 'sources.not_json'],
  ['JSON that ends early', body('{"days":[{"date"'), 'refused', 'sources.not_json'],
  ['nothing at all', body(''), 'refused', 'sources.not_json'],
  ['an empty list', json({ days: [] }), 'refused', 'sources.empty', 'the answer'],
  ['a field renamed', json({ day: DAYS }), 'refused', 'sources.shape', 'days'],
  [
    'a field of another type',
    json({ days: [{ date: '2026-03-09', tvl: '120000000' }] }),
    'refused',
    'sources.shape',
    'days.0.tvl',
  ],
  ['NaN', body('{"days":[{"date":"2026-03-09","tvl":NaN}]}'), 'refused', 'sources.not_json'],
  [
    'null for a number',
    json({ days: [{ date: '2026-03-09', tvl: Number.NaN }] }),
    'refused',
    'sources.shape',
    'days.0.tvl',
  ],
  [
    'a number beyond all numbers',
    body('{"days":[{"date":"2026-03-09","tvl":1e999}]}'),
    'refused',
    'sources.shape',
    'days.0.tvl',
  ],
  [
    'a hundred times too much',
    json({ days: [...DAYS.slice(0, 2), { date: '2026-03-09', tvl: 120e6 * 1000 }] }),
    'refused',
    'sources.jump',
    'tvl.total rootstock 2026-03-09',
  ],
  [
    'all gone',
    json({ days: [...DAYS, { date: '2026-03-10', tvl: 0 }] }),
    'refused',
    'sources.jump',
    'tvl.total rootstock 2026-03-10',
  ],
  ['time that runs backwards', json({ days: DAYS.slice(0, 2) }), 'refused', 'sources.backwards', 'day'],
  [
    'a day that is none',
    json({ days: [{ date: '2026-02-30', tvl: 1e8 }] }),
    'refused',
    'sources.day',
    'tvl.total rootstock 2026-02-30',
  ],
  [
    '50 MB',
    (_, response) => {
      response.writeHead(200)
      const part = Buffer.alloc(1_000_000, ' ')
      let sent = 0
      const more = (): void => {
        while (sent++ < 50) if (!response.write(part)) return void response.once('drain', more)
        response.end('{}')
      }
      response.on('error', () => {})
      more()
    },
    'refused',
    'sources.too_long',
  ],
  [
    'a redirect to another host',
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.2:9/x' }).end(),
    'failed',
    'sources.redirect',
  ],
  [
    'a redirect without end',
    (request, response) => void response.writeHead(302, { location: `${request.url}x` }).end(),
    'failed',
    'sources.redirect',
  ],
]

/** What a publisher may do wrong with one value among others, and the place of it; the others are used. */
export const VALUE_FAULTS: readonly (readonly [name: string, days: readonly object[], field: string])[] = [
  ['a field missing', [{ date: '2026-03-10' }], 'days.3.tvl'],
  ['a field of another type', [{ date: '2026-03-10', tvl: '120000000' }], 'days.3.tvl'],
  ['less than zero', [{ date: '2026-03-10', tvl: -1 }], 'tvl.total rootstock 2026-03-10'],
  ['a day that has not come', [{ date: '2026-03-11', tvl: 1e8 }], 'tvl.total rootstock 2026-03-11'],
  ['a day that is none', [{ date: '2026-02-30', tvl: 1e8 }], 'tvl.total rootstock 2026-02-30'],
  [
    'two figures for one day',
    [
      { date: '2026-03-10', tvl: 120e6 },
      { date: '2026-03-10', tvl: 121e6 },
    ],
    '["tvl.total","rootstock",""] 2026-03-10',
  ],
]
