import { z } from 'zod'
import type { FullApi } from '../api.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { directory, layerProfile, layerSlug } from '../schemas/directory.ts'

/** The catalogue's Bitcoin layers, those without a node of ours too. */
export const directoryRoutes = (apiFor: (asker: string) => FullApi): AnyRoute[] => [
  route({
    method: 'GET',
    path: '/api/v1/layers',
    id: 'listLayers',
    summary: 'Bitcoin layers: type, status, published grades of trust, latest figures',
    answer: { schema: directory },
    kept: 'data',
    handle: async ({ asker }) => json(await apiFor(asker).directory.list()),
  }),
  route({
    method: 'GET',
    path: '/api/v1/layers/:slug',
    id: 'readLayerProfile',
    summary: 'One Bitcoin layer: how bitcoin gets in and out, whom to trust, contracts, incidents, changes',
    params: z.strictObject({ slug: layerSlug }),
    answer: { schema: layerProfile },
    problems: [404],
    kept: 'data',
    handle: async ({ params, asker }) => json(await apiFor(asker).directory.layer(params.slug)),
  }),
]
