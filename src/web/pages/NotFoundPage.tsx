import { data, type LoaderFunctionArgs } from 'react-router'
import { PageError } from '../shell/PageError.tsx'
import type { Failure } from './failure.ts'
import { nearestPages } from './nearest.ts'

export function loader({ url }: LoaderFunctionArgs): never {
  const failure: Failure = {
    title: 'There is no such page',
    detail: `Nothing answers at ${url.pathname.slice(0, 120)}. Addresses tell upper from lower case here.`,
    hint: undefined,
    code: undefined,
    nearest: nearestPages(url.pathname),
  }
  throw data(failure, { status: 404 })
}

export default function NotFoundPage() {
  return null
}

export const ErrorBoundary = PageError
