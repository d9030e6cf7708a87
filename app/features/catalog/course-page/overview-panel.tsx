import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CourseDetail } from './course-queries.server'
import { PanelHeading } from './panel-heading'

export function OverviewPanel({ course }: { course: CourseDetail }) {
  return (
    <div className="space-y-12">
      {course.whatYouLearn.length > 0 && (
        <div className="card p-6 md:p-8">
          <PanelHeading>What you will learn</PanelHeading>
          <ul className="mt-5 grid gap-x-8 gap-y-3 sm:max-lg:grid-cols-2 xl:grid-cols-2">
            {course.whatYouLearn.map((outcome) => (
              <li key={outcome} className="flex gap-3">
                <Check aria-hidden="true" size={18} className="mt-1 shrink-0 text-good" />
                <span className="min-w-0">{outcome}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Part title="About this course">
        <div className="mt-4 max-w-[68ch] space-y-4 text-[1.0625rem] leading-relaxed">
          {course.description.split(/\n\s*\n/).map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </Part>
      {course.skills.length > 0 && (
        <Part title="Skills you will gain">
          <ul className="mt-4 flex flex-wrap gap-2">
            {course.skills.map((skill) => (
              <li
                key={skill}
                className="max-w-full rounded-full border border-line bg-surface px-4 py-1.5 font-medium text-[0.9375rem]"
              >
                {skill}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {course.requirements.length > 0 && (
        <Part title="Requirements">
          <ul className="mt-4 max-w-[68ch] list-disc space-y-2 pl-5 marker:text-muted">
            {course.requirements.map((requirement) => (
              <li key={requirement} className="pl-1">
                {requirement}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <PanelHeading>{title}</PanelHeading>
      {children}
    </div>
  )
}
