import { data, type LoaderFunctionArgs } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { Api } from '#http/contract.ts'
import { PageError } from '../shell/PageError.tsx'
import { siteWith } from '../site.ts'
import type { Failure } from './failure.ts'
import { noSuchPage } from './noSuchPage.ts'

/** Part of an address that is looked up. */
const LONGEST = 80

export async function loader({ url, context }: LoaderFunctionArgs): Promise<never> {
  const failure = noSuchPage(url.pathname, siteWith(context.get(siteContext)))
  const named = await likeNames(context.get(apiContext), url.pathname)
  const known = new Set(failure.nearest.map(({ path }) => path))
  const further = named.filter(({ path }) => !known.has(path))
  throw data({ ...failure, nearest: [...failure.nearest, ...further] }, { status: 404 })
}

const MOST_NAMED = 3

/** What is called like the last part of an address: a treasury, a token, a report. An answer without them is still one. */
async function likeNames(api: Pick<Api, 'search'>, path: string): Promise<Failure['nearest']> {
  const last =
    path
      .split('/')
      .findLast(part => part !== '')
      ?.slice(0, LONGEST) ?? ''
  const words = last.replaceAll(/[^\p{L}\p{N}.]+/gu, ' ').trim()
  if (words === '') return []
  return api.search({ q: words, limit: MOST_NAMED }).then(
    ({ items }) =>
      items.filter(({ kind }) => kind !== 'metric').map(({ path: found, label }) => ({ path: found, label })),
    () => [],
  )
}

export default function NotFoundPage() {
  return null
}

export const ErrorBoundary = PageError
