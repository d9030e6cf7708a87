/**
 * /Desk: what needs attention, and the figures of the last 30 days. Staff who may not see them get
 * their first section.
 */
import { CircleCheck } from 'lucide-react'
import { Link, redirect } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { DeskTitle, EmptyState, Section } from '~/features/desk/desk-parts'
import { requireDesk, requireStaff } from '~/features/desk/desk-request.server'
import { listDeskSections } from '~/features/desk/desk-sections.server'
import { FigurePlots } from '~/features/desk/today/figure-plots'
import { schoolSetupActions } from '~/features/desk/today/school-setup.server'
import { SchoolSetupForm } from '~/features/desk/today/school-setup-form'
import { loadTodayPage, type TodayPageData } from '~/features/desk/today/today-page.server'
import { hasPermission } from '~/features/staff/permissions'
import { createClientAction } from '~/ui/form/client-action'
import { Notice } from '~/ui/notice'
import type { Route } from './+types/today'

export async function loader(args: Route.LoaderArgs) {
  const { staff } = await requireStaff(args.context)
  const [firstSection] = listDeskSections(staff)
  // The account menu leads all staff to /Desk, but a teacher may not see the whole school.
  if (firstSection && !hasPermission(staff, 'see statistics')) {
    throw redirect(firstSection.path)
  }

  const desk = await requireDesk(args, 'see statistics')
  return loadTodayPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'see statistics')
  return handleDeskForm(args.request, desk, schoolSetupActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function TodayRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <TodayView {...loaderData} />
    </DeskPage>
  )
}

function TodayView({ setup, checks, figures, currency, timeZone, sellsCourses }: TodayPageData) {
  return (
    <>
      <DeskTitle>Today</DeskTitle>
      {setup && <SchoolSetupForm setup={setup} />}
      <h2 className="mb-4 font-bold text-xl">Needs attention</h2>
      {checks.length === 0 ? (
        <p className="card flex items-center gap-3 p-5">
          <CircleCheck aria-hidden="true" size={20} className="shrink-0 text-good" />
          Nothing right now.
        </p>
      ) : (
        <div className="grid gap-3">
          {checks.map(({ variant, title, help, path }) => (
            <Notice
              key={title}
              variant={variant}
              silent
              action={
                path && (
                  <Link to={path} className="link">
                    Look
                  </Link>
                )
              }
            >
              <strong className="block">{title}</strong>
              <span className="text-ink">{help}</span>
            </Notice>
          ))}
        </div>
      )}
      <Section title="The last 30 days">
        {figures ? (
          <FigurePlots
            figures={figures}
            currency={sellsCourses ? currency : null}
            timeZone={timeZone}
          />
        ) : (
          <EmptyState>The figures are being counted. Reload this page in a minute.</EmptyState>
        )}
      </Section>
    </>
  )
}
