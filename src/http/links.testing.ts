import type { HttpConfig } from './createHttp.ts'

/** Where a site of tests leads: what is not configured is not there. */
export const testLinks: HttpConfig['links'] = {
  signUp: '/pricing',
  analytics: undefined,
  newsletter: undefined,
  social: undefined,
  docs: '/documentation',
  support: undefined,
}
