import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  buildDirectory: 'build',
  ssr: true,
  // The whole map travels with the first page: it is small, and asking for parts of it would cost a request a menu entry.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
