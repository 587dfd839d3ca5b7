import { z } from 'zod'
import { bundle } from '#queries/index.ts'
import { asFile } from '../format.ts'
import { namedCallerOf } from '../queries/callers.ts'
import { resultHash } from '../queries/schema.ts'
import { type AnyRoute, json, route } from '../route.ts'
import type { ProvenanceApi } from './api.ts'
import {
  blockHashes,
  blockHashesQuery,
  chartProvenanceQuery,
  inputsAnswer,
  inputsRequest,
  jsonSchema,
  metricProvenanceQuery,
  provenanceFile,
  sourceValue,
  sourceValueQuery,
} from './schema.ts'

const metricParams = z.strictObject({ id: z.string().min(1).describe('as in the catalog: `fees.total`') })

const listOf = (text: string): string[] => text.split(',').filter(value => value !== '')

/** Provenance files, and what checks them. */
export const provenanceRoutes = (api: ProvenanceApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/queries/results/:hash/provenance',
    id: 'readResultProvenance',
    summary: 'Provenance file of a stored result; `assay check` compares it with any server',
    params: resultHash,
    answer: { schema: provenanceFile },
    problems: [401, 403, 404, 409, 410, 429],
    kept: 'never',
    who: 'anyone',
    isForNamedQueries: true,
    handle: async ({ params: { hash }, signal, ...asked }) => ({
      ...json(await api.ofResult(hash, namedCallerOf(asked), signal)),
      headers: asFile(`assay-${hash.slice(0, 12)}.provenance.json`),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/metrics/:id/provenance',
    id: 'readMetricProvenance',
    summary: 'Provenance file of a metric’s figures; `assay check` compares it with any server',
    params: metricParams,
    query: metricProvenanceQuery,
    answer: { schema: provenanceFile },
    problems: [404, 429],
    kept: 'never',
    handle: async ({ params, query, asker }) => {
      const { breakdown, switches, ...rest } = query
      const file = await api.ofMetric(
        {
          ...params,
          ...rest,
          ...(breakdown !== undefined && { breakdown: listOf(breakdown) }),
          ...(switches !== undefined && { switches: listOf(switches) }),
        },
        asker,
      )
      return { ...json(file), headers: asFile(`${params.id}-${rest.entity}.provenance.json`) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/series/provenance',
    id: 'readChartProvenance',
    summary: 'Provenance file of several metrics over the same time, as a chart shows them',
    query: chartProvenanceQuery,
    answer: { schema: provenanceFile },
    problems: [404, 429],
    kept: 'never',
    handle: async ({ query, asker }) => ({
      ...json(await api.ofChart(query, asker)),
      headers: asFile('assay-chart.provenance.json'),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/provenance/schema',
    id: 'readProvenanceSchema',
    summary: 'JSON Schema of provenance files',
    answer: { schema: jsonSchema },
    kept: 'data',
    handle: async () => json(z.toJSONSchema(bundle, { io: 'output' })),
  }),
  route({
    method: 'POST',
    path: '/api/v1/provenance/inputs',
    id: 'hashInputs',
    summary: 'Hashes of parts of the data: blocks of chains, values of sources, recorded tables',
    body: inputsRequest,
    answer: { schema: inputsAnswer },
    problems: [413, 415, 429],
    kept: 'never',
    handle: async ({ body: { inputs }, asker }) => json(await api.digest(inputs, asker)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/provenance/blocks',
    id: 'listBlockHashes',
    summary: 'Block hashes of a chain by range of heights',
    query: blockHashesQuery,
    answer: { schema: blockHashes },
    problems: [429],
    kept: 'never',
    handle: async ({ query, asker, signal }) =>
      json(await api.blocks({ kind: 'blocks', ...query }, asker, signal)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/provenance/value',
    id: 'readSourceValue',
    summary: 'The value of a source at a position, as provenance files count them',
    query: sourceValueQuery,
    answer: { schema: sourceValue },
    problems: [429],
    kept: 'never',
    handle: async ({ query, asker, signal }) =>
      json(await api.valueAt({ kind: 'values', ...query }, asker, signal)),
  }),
]
