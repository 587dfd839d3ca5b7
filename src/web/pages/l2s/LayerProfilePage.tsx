import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { pageMeta } from '../pageMeta.ts'
import { loadProfile } from './loadProfile.server.ts'
import { profilePath } from './words.ts'

export const loader = ({ params, context }: LoaderFunctionArgs) => loadProfile(params.name ?? '', context)

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return [{ title: 'Bitcoin layer · Assay' }]
  const { layer, publicUrl } = loaderData
  return pageMeta({
    title: `${layer.name}, Bitcoin layer`,
    path: profilePath(layer.slug),
    description: layer.sentence,
    publicUrl,
  })
}

export default function LayerProfilePage() {
  const { layer } = useLoaderData<typeof loader>()
  return <HeadingBlock title={layer.name} question={layer.sentence} mark={{ asOf: layer.asOf }} />
}

export const ErrorBoundary = PageError
