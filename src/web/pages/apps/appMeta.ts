import { pageMeta } from '../pageMeta.ts'
import type { LoadedApp } from './loadApp.server.ts'

/** Title and description of the page of an application. */
export function appMeta({ app: { slug, name }, tab, tabs, description, publicUrl }: LoadedApp) {
  const isFirst = tab.key === tabs[0]?.key
  return pageMeta({
    title: isFirst ? name : `${name}: ${tab.label}`,
    path: isFirst ? `/${slug}` : `/${slug}?tab=${tab.key}`,
    description,
    publicUrl,
  })
}
