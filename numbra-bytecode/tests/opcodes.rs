//! Every opcode byte of every version is classified, and every reason says what to do.

use numbra_bytecode::{Class, Opcode, Unsupported, Version};

#[test]
fn classification_is_total() {
    for version in Version::ALL {
        let entries: Vec<_> = version.table().iter().flatten().collect();
        assert!(entries.len() > 150, "{}: {}", version.name(), entries.len());
        for entry in entries {
            // `class` has no wildcard arm; here we see that each unsupported opcode has words for it.
            if let Class::Unsupported(reason) = entry.opcode.class() {
                assert!(
                    !reason.message().is_empty() && !reason.help().is_empty(),
                    "{}",
                    entry.name
                );
                assert!(
                    reason.numba_phrase(entry.opcode).contains("supported"),
                    "{}",
                    entry.name
                );
            }
        }
    }
}

#[test]
fn every_opcode_is_in_some_version_and_every_reason_is_used() {
    for opcode in Opcode::ALL {
        let found = Version::ALL
            .iter()
            .any(|v| v.table().iter().flatten().any(|e| e.opcode == *opcode));
        assert!(found, "{}", opcode.name());
    }
    // The operand of an opcode says it of these.
    let by_operand = [Unsupported::AsciiConversion];
    for reason in Unsupported::ALL.iter().filter(|r| !by_operand.contains(r)) {
        let by_opcode = Opcode::ALL
            .iter()
            .any(|o| o.class() == Class::Unsupported(*reason));
        assert!(by_opcode, "{reason:?}");
    }
}

#[test]
fn general_forms_keep_their_names() {
    for version in Version::ALL {
        for opcode in Opcode::ALL {
            let rows: Vec<_> = version
                .table()
                .iter()
                .flatten()
                .filter(|e| e.opcode == *opcode)
                .collect();
            if let Some(row) = rows.iter().find(|e| e.name == opcode.name()) {
                assert!(
                    rows.iter()
                        .all(|e| e.caches == row.caches && e.has_arg == row.has_arg),
                    "{}",
                    row.name
                );
            }
        }
    }
}
