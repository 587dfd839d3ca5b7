import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  buildDirectory: 'build',
  ssr: true,
  // The map of all addresses weighs 3.7 kB packed on each first page; the part of it behind a page's links is asked for once that page stands.
  routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
} satisfies Config
