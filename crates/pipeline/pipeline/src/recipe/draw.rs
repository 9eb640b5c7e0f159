//! Draws a plan as a tree in which each stage is below its first input.

use std::fmt::{self, Write as _};

use super::{Plan, Step};

/// Draws the plan, with one line per stage.
///
/// Each stage is listed below its first input; any other inputs are shown as `+ name`.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.summary.is_empty() {
            writeln!(f, "{}\n", self.summary)?;
        }
        let roots = self.nodes.iter().enumerate().filter(|(_, node)| node.inputs.is_empty());
        let mut lines = Vec::new();
        for (index, _) in roots {
            branch(self, index, "", "", &mut lines);
        }
        let width = lines.iter().map(|line| line.0.chars().count()).max().unwrap_or(0);
        for (tree, node) in lines {
            let signature = node.signature();
            write!(f, "{tree:width$}  {:10}  {:12}", signature.spread, signature.gives)?;
            writeln!(f, "  {}", described(self, node))?;
        }
        Ok(())
    }
}

fn branch<'p>(plan: &'p Plan, index: usize, lead: &str, follow: &str, lines: &mut Vec<(String, &'p Step)>) {
    let node = &plan.nodes[index];
    lines.push((format!("{lead}{} ({})", node.name, node.stage.kind()), node));
    let children: Vec<usize> =
        (0..plan.nodes.len()).filter(|&n| plan.nodes[n].inputs.first() == Some(&index)).collect();
    for (at, &child) in children.iter().enumerate() {
        let last = at + 1 == children.len();
        let (lead, rest) = if last { ("└─▶ ", "    ") } else { ("├─▶ ", "│   ") };
        branch(plan, child, &format!("{follow}{lead}"), &format!("{follow}{rest}"), lines);
    }
}

fn described(plan: &Plan, node: &Step) -> String {
    let mut text = node.stage().note();
    for &other in node.inputs.iter().skip(1) {
        let _ = write!(text, " + {}", plan.nodes[other].name);
    }
    text
}
