import { data, type LoaderFunctionArgs } from 'react-router'
import { siteContext } from '#http/context.ts'
import { PageError } from '../shell/PageError.tsx'
import { siteWith } from '../site.ts'
import { noSuchPage } from './noSuchPage.ts'

export function loader({ url, context }: LoaderFunctionArgs): never {
  throw data(noSuchPage(url.pathname, siteWith(context.get(siteContext))), { status: 404 })
}

export default function NotFoundPage() {
  return null
}

export const ErrorBoundary = PageError
