import { ApiError, problemOf } from '../apiError.ts'
import { type AnyRoute, json, route } from '../route.ts'
import { type Features, features } from '../schemas/features.ts'

/** Whoever claims nothing has no features; a claim is refused, since nothing here can prove one. */
export const featureRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/api/v1/features',
    id: 'readFeatures',
    summary: 'What the asker may use beyond what is open to all; who does not sign in has {}',
    answer: { schema: features },
    problems: [401],
    kept: 'never',
    handle: async ({ claims }) => {
      if (claims.length > 0)
        throw new ApiError(
          problemOf('http.credentials', `Nothing here can prove what ${claims.join(' and ')} claims.`, {
            hint: 'Ask without these headers.',
          }),
        )
      return json({} satisfies Features)
    },
  }),
]
