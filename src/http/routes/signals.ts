import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { applicationTable } from '../schemas/applications.ts'
import {
  composite,
  recordsQuery,
  signalDetail,
  signalId,
  signalList,
  signalRecords,
} from '../schemas/signals.ts'
import { inFormat } from './across.ts'

const named = z.strictObject({ id: signalId })

/** Signals of Alpha21 and their records. */
export const signalRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/signals',
    id: 'listSignals',
    summary: 'Current signals, each with its in-sample and out-of-sample record',
    answer: { schema: signalList },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).signals.list()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/signals/records',
    id: 'listSignalRecords',
    summary: 'The record of every signal, one line for each part and horizon',
    query: recordsQuery,
    answer: { schema: signalRecords, hasCsv: true },
    kept: 'data',
    handle: async ({ asker, format }) =>
      inFormat(format, 'alpha21-records', await apiFor(asker).signals.records()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/signals/composite',
    id: 'readSignalComposite',
    summary:
      'Signals with a record taken together: members of each year, states and their record out of sample',
    answer: { schema: composite },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).signals.composite()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/signals/:id',
    id: 'readSignal',
    summary: 'One signal: rules, events, records and sensitivity to its parameters',
    params: named,
    answer: { schema: signalDetail },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).signals.signal(params.id)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/signals/:id/record',
    id: 'readSignalRecord',
    summary: 'The record of a signal as a table, with the statement that gives it',
    params: named,
    answer: { schema: applicationTable },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).signals.table(params.id)),
  }),
]
