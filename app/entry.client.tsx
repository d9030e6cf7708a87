import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { watchAnswers } from './ui/answers'
import { buildHeader } from './ui/build-header'

declare global {
  interface Window {
    /** React Router's list of this page's routes and scripts. */
    __reactRouterManifest?: { version: string }
  }
}

if (import.meta.env.PROD) watchAnswers({ header: buildHeader, build: window.__reactRouterManifest?.version ?? '' })

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
