import { Component, type ReactNode } from 'react';

interface Props {
  type: string;
  children: ReactNode;
}

/** A block that can't be drawn costs its own place, not the page. React has error boundaries as classes only. */
export class BlockBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p className="unsupported">The playground can't draw this «{this.props.type}» block</p>;
  }
}
