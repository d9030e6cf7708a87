import { ownDataArchive } from '~/features/accounts/own-data-archive.server'
import { deleteAccount } from '~/features/accounts/own-data-deletion.server'
import { listCertificateFiles } from '~/features/learning/certificate/certificate-archive.server'
import { listAnsweredCourses } from '~/features/learning/exam/exam-page-queries.server'
import { db } from '~/server/database/client.server'
import { fileStore } from '~/server/files.server'
import { requireLearner } from '~/server/session.server'
import type { Route } from './+types/own-data'

/** 'Download my data': one archive with everything that is stored about the learner. */
export async function loader({ request }: Route.LoaderArgs) {
  const { uid } = await requireLearner(request)
  const now = new Date()
  const parts = { db, files: fileStore, answeredCourses: listAnsweredCourses }
  const archive = await ownDataArchive(parts, uid, await listCertificateFiles(db, uid), now)
  return new Response(new Uint8Array(archive), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="learnify-data-${now.toISOString().slice(0, 10)}.zip"`,
      'Cache-Control': 'no-store',
    },
  })
}

/** 'Delete my account'. */
export async function action({ request }: Route.ActionArgs) {
  // Browsers ask for HTML when they leave a page for this address; scripts do not.
  const navigation = request.headers.get('accept')?.includes('text/html') ?? false
  return deleteAccount({ db, files: fileStore }, request, navigation)
}
