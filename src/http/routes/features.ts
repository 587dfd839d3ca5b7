import { type AnyRoute, json, route } from '../route.ts'
import { features } from '../schemas/features.ts'

export const featureRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/api/v1/features',
    id: 'readFeatures',
    summary: 'The caller’s features beyond the public ones; {} without sign-in',
    answer: { schema: features },
    problems: [401],
    kept: 'never',
    who: 'anyone',
    handle: async asked => json(asked.features),
  }),
]
